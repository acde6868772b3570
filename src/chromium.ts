/**
 * Finds a Chromium that Playwright can drive, or installs one; the tests' own set-up. It must never
 * settle for another browser or for none.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium, type LaunchOptions } from 'playwright';
import { Problem } from './problem.ts';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of a Chromium: CHROMIUM_PATH, else Playwright's own, else the system's; undefined when there is none. */
function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = env['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named;
    throw new Problem('chromium.missing', 'CHROMIUM_PATH names a file that is not there', {
      at: named,
      mend: 'Unset it, or let it name a Chromium.',
    });
  }
  return [chromium.executablePath(), ...PLACES].find((path) => existsSync(path));
}

/** As findChromium, but installs one where there is none. Throws Problem `chromium.missing`. */
export function ensureChromium(say: (line: string) => void): string {
  const found = findChromium();
  if (found !== undefined) return found;
  const run = (command: string, ...args: string[]) => {
    say(`no Chromium here: ${[command, ...args].join(' ')}`);
    const { status, error } = spawnSync(command, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    return error === undefined && status === 0;
  };
  // Debian's own comes with the libraries that it needs; Playwright's does not, but needs no root.
  const debian = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (debian && run('apt-get', '-q', 'update')) {
    run('apt-get', 'install', '-qy', '--no-install-recommends', 'chromium');
  }
  if (findChromium() === undefined) run('npx', 'playwright', 'install', 'chromium');
  const installed = findChromium();
  if (installed !== undefined) return installed;
  throw new Problem(
    'chromium.missing',
    'the browser tests need a Chromium, and none could be had',
    {
      mend: 'Install Chromium or Chrome, or let CHROMIUM_PATH name one.',
    },
  );
}

/** How every test starts it: without the network's background talk, and as root without a sandbox. */
export function launchOptions(executablePath: string): LaunchOptions {
  return {
    executablePath,
    args: [
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  };
}
