/** `npm run -s weigh -- COMMAND…`: weighs any MCP server over stdio and records nothing. */
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { parsePayload } from '../src/measure/payload.ts';
import { SHAPES } from '../src/measure/shape.ts';
import { weigh } from '../src/measure/weigh.ts';
import { loadTokenizer, TOKENIZERS } from '../src/packages/tokenizer.ts';
import { payloadOf } from '../src/probe/capture.ts';
import { checkCatalogue } from '../src/probe/catalogue.ts';
import { type Probed, ProbeFailure, probeStdio } from '../src/probe/stdio.ts';
import { Problem } from '../src/problem.ts';
import { printable } from '../src/render/printable.ts';
import { renderReport, type WeighReport } from '../src/render/report.ts';

const USAGE = `usage: npm run -s weigh -- [options] COMMAND [ARGUMENT…]

Starts COMMAND, an MCP server that speaks over stdio, in this folder and with this environment,
asks it for its tools and weighs them. Nothing is recorded.

  --json            print JSON instead of a report
  --shape NAME      ${SHAPES.join(', ')}; default ${SHAPES[0]}
  --tokenizer NAME  ${TOKENIZERS.join(', ')}; default ${TOKENIZERS[0]} (qwen3 is installed at its first use)
  --name SERVER     the server's name in mcp__SERVER__TOOL; default: what it calls itself
  --timeout S       seconds until it is given up; default 60
  --help            print this

exit: 0 measured, 1 something of ours failed, 2 usage, 3 the server failed, 130 interrupted
`;

const OPTIONS = {
  json: { type: 'boolean', default: false },
  shape: { type: 'string', default: SHAPES[0] },
  tokenizer: { type: 'string', default: TOKENIZERS[0] },
  name: { type: 'string' },
  timeout: { type: 'string', default: '60' },
  help: { type: 'boolean', default: false },
} as const;

/** What the user asked for. Throws Problem `usage`. */
function readArguments(args: string[]) {
  // Ours end where the command begins: what follows is the server's, dashes and all.
  const { tokens } = parseArgs({ args, options: OPTIONS, strict: false, tokens: true });
  const command = tokens.find((token) => token.kind === 'positional');
  const ours = args.slice(0, command?.index);
  let values: ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];
  try {
    ({ values } = parseArgs({ args: ours, options: OPTIONS }));
  } catch (cause) {
    throw usage(cause instanceof Error ? cause.message : String(cause));
  }
  const shape = SHAPES.find((one) => one === values.shape);
  const tokenizer = TOKENIZERS.find((one) => one === values.tokenizer);
  const seconds = Number(values.timeout);
  if (shape === undefined) throw usage(`--shape is one of ${SHAPES.join(', ')}`);
  if (tokenizer === undefined) throw usage(`--tokenizer is one of ${TOKENIZERS.join(', ')}`);
  // Node's timers end at 2³¹ ms; past that they fire at once.
  if (!(seconds > 0 && seconds <= 2_000_000)) throw usage('--timeout is a number of seconds');
  if (values.name !== undefined && values.name !== serverName(values.name)) {
    throw usage('--name takes letters, digits, _ and -');
  }
  return {
    ...values,
    shape,
    tokenizer,
    timeoutMs: seconds * 1000,
    command: command === undefined ? [] : args.slice(command.index),
  };
}

function usage(message: string): Problem {
  return new Problem('usage', message, { mend: '`npm run -s weigh -- --help` says how.' });
}

/** As clients put it before a tool's name: other characters than letters, digits, _ and - go. */
function serverName(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '');
}

async function main(): Promise<number> {
  const asked = readArguments(process.argv.slice(2));
  if (asked.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const [command, ...args] = asked.command;
  const { INIT_CWD } = process.env;
  if (command === undefined) throw usage('no COMMAND to start');

  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  const tokenizer = await loadTokenizer(asked.tokenizer, {
    cacheDir: join(process.cwd(), '.cache', 'npm'),
    signal: stop.signal,
    log: (line) => process.stderr.write(`${line}\n`),
  });
  const probed = await probeStdio({
    command,
    args,
    env: Object.fromEntries(
      Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
    ),
    // npm runs scripts in the package's folder; the user's command means the user's own.
    cwd: INIT_CWD ?? process.cwd(),
    timeoutMs: asked.timeoutMs,
    signal: stop.signal,
  });
  const server =
    asked.name || serverName(probed.serverName ?? '') || serverName(basename(command)) || 'server';
  const report: WeighReport = {
    server,
    protocol: { requested: probed.protocolRequested, negotiated: probed.protocolNegotiated },
    ...weighProbed(probed, { shape: asked.shape, server, tokenizer }),
    warnings: [...probed.warnings, ...checkCatalogue(probed.tools)],
  };
  process.stdout.write(asked.json ? `${JSON.stringify(report, null, 2)}\n` : renderReport(report));
  return 0;
}

/** Weighs what came; a catalogue that cannot be weighed is the server's failure. */
function weighProbed({ pages }: Probed, options: Parameters<typeof weigh>[1]) {
  try {
    return weigh(parsePayload(payloadOf(pages)), options);
  } catch (cause) {
    if (!(cause instanceof RangeError || cause instanceof SyntaxError)) throw cause;
    throw new Problem('server.unweighable', `its list cannot be weighed: ${cause.message}`, {
      mend: 'Report it to the server: no client could send such a list to a model.',
      cause,
    });
  }
}

/** Prints why, and gives the exit code. */
function explain(error: unknown): number {
  if (!(error instanceof Problem)) throw error;
  const lines = error.toString().split('\n').map(printable);
  if (error instanceof ProbeFailure && error.stderrTail.trim() !== '') {
    lines.push('  The end of what it said on stderr:');
    for (const line of error.stderrTail.trimEnd().split('\n')) lines.push(`  | ${printable(line)}`);
  }
  process.stderr.write(`${lines.join('\n')}\n`);
  if (error.code === 'usage') return 2;
  if (error.code.endsWith('.aborted')) return 130;
  return error.code.startsWith('server.') || error instanceof ProbeFailure ? 3 : 1;
}

process.exitCode = await main().catch(explain);
