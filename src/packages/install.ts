/**
 * Puts one exact version of an npm package into the cache, whole or not at all, and says which
 * bytes the registry promised. It must never run a package's install scripts, never take a range
 * for a version, and never touch the network for what is cached.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { z } from 'zod';
import { Problem } from '../problem.ts';
import { unwatch, watch } from '../watchdog.ts';

export type InstallOptions = {
  /** As npm spells it: `@scope/name` or `name`. */
  name: string;
  /** Exact: `2.5.2`; a range or tag is refused. */
  version: string;
  /**
   * YYYY-MM-DD: what the package depends on is taken as it stood when that day began (UTC). Without
   * it the same version may bring other code tomorrow.
   */
  asOf?: string;
  /** Exact versions of what it depends on, by name: installed beside it, so that ranges find these. */
  pins?: Readonly<Record<string, string>>;
  /** `.cache/npm` of the repository, or a folder like it. */
  cacheDir: string;
  signal?: AbortSignal;
  /** Told once, before the network is used. */
  log?: (line: string) => void;
  /** Where npm and its settings are looked up; default process.env. */
  env?: NodeJS.ProcessEnv;
};

export type Installed = {
  name: string;
  version: string;
  /** The package's own folder. */
  dir: string;
  /** `sha512-…` as the registry gave it, or null where it gave none. */
  integrity: string | null;
  /** As its package.json says; null when it says nothing. */
  licence: string | null;
  /** Absolute path of a script that node can run. Without a name: the only one, or the package's namesake. */
  bin(name?: string): string;
};

const NAME = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/;
/** Semver without a range, as semver.org gives it, short of its ban on leading zeros. */
const EXACT_VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

const Manifest = z.looseObject({
  name: z.string(),
  version: z.string(),
  license: z.string().nullable().catch(null),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
});
const Lockfile = z.looseObject({
  packages: z.record(z.string(), z.looseObject({ integrity: z.string().optional() })),
});

/**
 * Installs `name@version` into `cacheDir` unless it is there. Two callers at once, in one process
 * or two, both get a whole package. Throws Problem `package.*`.
 */
export async function installPackage(options: InstallOptions): Promise<Installed> {
  const { name, version, asOf, pins = {}, cacheDir, signal } = options;
  const at = exactly(name, version);
  const pinned = Object.entries(pins).map(([dependency, held]) => exactly(dependency, held));
  const traits = [asOf ?? [], ...pinned.sort()].flat().map((trait) => `,${trait}`);
  const home = join(resolve(cacheDir), at + traits.join('').replaceAll('/', '+'));
  const cached = await findInstalled(home, name, version);
  if (cached !== null) return cached;

  options.log?.(`installing ${at}`);
  await mkdir(dirname(home), { recursive: true });
  await clearAbandoned(dirname(home));
  const temp = join(dirname(home), `.tmp-${process.pid}-${randomBytes(6).toString('hex')}`);
  try {
    await mkdir(temp);
    await writeFile(join(temp, 'package.json'), '{"private":true}\n');
    signal?.throwIfAborted();
    await npm(temp, at, pinned, options);
    if ((await findInstalled(temp, name, version)) === null) {
      throw new Problem(
        'package.wrong',
        'npm ended well but the package is not what was asked for',
        {
          at,
          mend: `See what \`npm view ${at}\` says; an alias or a proxy may stand between.`,
        },
      );
    }
    // A broken copy is replaced; a whole one that another caller made meanwhile is kept.
    if ((await findInstalled(home, name, version)) === null) {
      await rm(home, { recursive: true, force: true });
      await rename(temp, home).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      });
    }
  } catch (error) {
    if (signal?.aborted)
      throw new Problem('package.aborted', 'interrupted while installing', { at });
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw diskFull(at, error);
    throw error;
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
  const made = await findInstalled(home, name, version);
  if (made === null)
    throw new Problem('package.wrong', 'the installed package has gone', {
      at,
      mend: 'Something else cleans the cache: run it again.',
    });
  return made;
}

/** `name@version`, if npm can take it for nothing else. */
function exactly(name: string, version: string): string {
  const at = `${name}@${version}`;
  if (!NAME.test(name)) {
    throw new Problem('package.bad-name', 'not the name of an npm package', {
      at,
      mend: 'Write it as npm does: `name` or `@scope/name`.',
    });
  }
  if (!EXACT_VERSION.test(version)) {
    throw new Problem('package.bad-version', 'not an exact version', {
      at,
      mend: 'Give all three numbers; a range or tag would weigh something else tomorrow.',
    });
  }
  return at;
}

/** What stands in a folder that `npm install` filled, or null unless it is that package, whole. */
export async function findInstalled(
  home: string,
  name: string,
  version: string,
): Promise<Installed | null> {
  const dir = join(home, 'node_modules', name);
  const manifest = await readJson(Manifest, join(dir, 'package.json'));
  const lock = await readJson(Lockfile, join(home, 'package-lock.json'));
  if (manifest === null || lock === null) return null;
  if (manifest.name !== name || manifest.version !== version) return null;
  return {
    name,
    version,
    dir,
    integrity: lock.packages[`node_modules/${name}`]?.integrity ?? null,
    licence: manifest.license,
    bin: (wanted) => {
      const all =
        typeof manifest.bin === 'string' ? { [basename(name)]: manifest.bin } : manifest.bin;
      const choices = Object.keys(all ?? {});
      const key = wanted ?? (choices.length === 1 ? choices[0] : basename(name));
      const path = key === undefined ? undefined : all?.[key];
      const file = resolve(dir, path ?? '');
      if (path === undefined || !file.startsWith(dir + sep)) {
        throw new Problem('package.no-bin', `has no command ${key ?? ''}`, {
          at: `${name}@${version}`,
          mend: choices.length === 0 ? 'It has none at all.' : `It has: ${choices.join(', ')}.`,
        });
      }
      return file;
    },
  };
}

async function readJson<S extends z.ZodType>(schema: S, path: string): Promise<z.infer<S> | null> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}

/** Removes what killed installs left: folders whose maker, named in them, no longer runs. */
async function clearAbandoned(folder: string): Promise<void> {
  for (const entry of await readdir(folder)) {
    const pid = Number(/^\.tmp-(\d+)-/.exec(entry)?.[1]);
    if (pid > 0 && !runs(pid)) await rm(join(folder, entry), { recursive: true, force: true });
  }
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** What npm may see: where it is, how to reach the registry, and its own settings. */
const PASSED =
  /^(?:PATH|HOME|USERPROFILE|APPDATA|SystemRoot|TMPDIR|TEMP|TMP|LANG|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|(?:https?|no|all)_proxy|npm_config_.*)$/i;

function npm(
  cwd: string,
  spec: string,
  pinned: readonly string[],
  { asOf, signal, env = process.env }: InstallOptions,
): Promise<void> {
  const args = ['install', spec, ...pinned, '--prefix', cwd, '--save-exact'];
  args.push('--ignore-scripts', '--omit=dev');
  // Said outright, since npm hands the settings of the npm that runs us down to this one.
  args.push('--no-audit', '--no-fund', '--no-dry-run', '--no-global', '--package-lock');
  args.push('--loglevel=error', '--no-json', '--fetch-retry-mintimeout=500');
  args.push('--fetch-retry-maxtimeout=5000');
  if (asOf !== undefined) args.push(`--before=${asOf}`);
  const [command, cli] = npmCommand(env);
  const child = spawn(command, [...cli, ...args], {
    cwd,
    detached: true,
    env: Object.fromEntries(Object.entries(env).filter(([key]) => PASSED.test(key))),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (child.pid !== undefined) watch(child.pid);
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {} // it ended of itself just now
  };
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = (said + chunk).slice(-16_384);
  });
  signal?.addEventListener('abort', kill, { once: true });
  process.once('exit', kill);
  return new Promise<void>((done, fail) => {
    child.once('error', (cause) =>
      fail(
        new Problem('package.no-npm', `cannot start ${command}`, {
          at: spec,
          mend: 'npm must be on the PATH.',
          cause,
        }),
      ),
    );
    child.once('close', (code) => (code === 0 ? done() : fail(explain(spec, said, code))));
  }).finally(() => {
    if (child.pid !== undefined) unwatch(child.pid);
    signal?.removeEventListener('abort', kill);
    process.off('exit', kill);
  });
}

/** The npm that runs us, under our own node, or else the one on the PATH. */
function npmCommand(env: NodeJS.ProcessEnv): [string, string[]] {
  const { npm_execpath: cli } = env;
  return cli !== undefined && basename(cli) === 'npm-cli.js'
    ? [process.execPath, [cli]]
    : ['npm', []];
}

const OFFLINE =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENETDOWN|ERR_SOCKET_TIMEOUT|ENOTCACHED|E50[234])\b/;
const UNTRUSTED =
  /\b(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_[A-Z_]+|CERT_[A-Z_]+)\b/;

/** npm's own words, as one of our problems. */
function explain(at: string, said: string, code: number | null): Problem {
  const npmCode = /npm error code (\S+)/.exec(said)?.[1] ?? '';
  const detail = said
    .split('\n')
    .map((line) => line.replace(/^npm error ?/, '').trim())
    .filter(
      (line) => line !== '' && !line.startsWith('A complete log') && !line.startsWith('code '),
    )
    .slice(0, 3)
    .join(' ');
  if (npmCode === 'E404') {
    return new Problem('package.not-found', `the registry has no such package: ${detail}`, {
      at,
      mend: 'Check the name in content/servers.yaml; a private package wants your own .npmrc.',
    });
  }
  if (npmCode === 'ETARGET') {
    return new Problem('package.no-version', 'the registry has the package but not this version', {
      at,
      mend: 'Check the version (`npm view NAME versions` lists them), and that as_of is later than it.',
    });
  }
  if (npmCode === 'ENOSPC') return diskFull(at);
  if (UNTRUSTED.test(said)) {
    return new Problem('package.offline', `the registry's certificate is not trusted: ${detail}`, {
      at,
      mend: 'Behind a proxy with its own authority, set NODE_EXTRA_CA_CERTS to its certificate.',
    });
  }
  if (OFFLINE.test(npmCode) || OFFLINE.test(said)) {
    return new Problem('package.offline', `the registry cannot be reached: ${detail}`, {
      at,
      mend: 'Go online once: what has been installed is kept in .cache/ and needs no network again.',
    });
  }
  return new Problem(
    'package.failed',
    `npm install failed (${npmCode || `exit ${code}`}): ${detail}`,
    {
      at,
      mend: `Try \`npm install ${at}\` in an empty folder to see all of what npm says.`,
    },
  );
}

function diskFull(at: string, cause?: unknown): Problem {
  return new Problem('package.no-space', 'the disk is full', {
    at,
    mend: 'Free some space and run it again; nothing half-installed was kept.',
    ...(cause === undefined ? {} : { cause }),
  });
}
