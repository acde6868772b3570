/**
 * Carries a conversation over the stdio of a server that it starts and ends. It must never
 * decode or re-serialise what came, and never leave the server running.
 */
import { Problem } from '../problem.ts';
import { Child, type Ended } from './child.ts';
import {
  abortedProblem,
  Conversation,
  flood,
  handshake,
  type Probed,
  ProbeFailure,
  type TalkOptions,
} from './conversation.ts';
import { Lines, LineTooLong } from './lines.ts';

export type { Limits, Probed, ProbeEvent, Warning } from './conversation.ts';
export { LIMITS, PROTOCOL_REQUESTED, ProbeFailure } from './conversation.ts';

export type ProbeOptions = TalkOptions & {
  command: string;
  args: readonly string[];
  /** The whole environment of the server; nothing of ours is added. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** How long a server may take to leave after EOF, and again after SIGTERM. Default 2,000 ms. */
  graceMs?: number;
};

/** Starts a server, lists its tools twice, ends it. Throws ProbeFailure. */
export function probeStdio(options: ProbeOptions): Promise<Probed> {
  return overStdio(options, handshake);
}

/** Holds an exchange with a server of its own, and adds the tail of its stderr. Throws ProbeFailure. */
export async function overStdio<T>(
  options: ProbeOptions,
  exchange: (conversation: Conversation) => Promise<T>,
): Promise<T & { stderrTail: string }> {
  const conversation = new Conversation(options, async (message) => {
    const { stdin } = child.process;
    if (stdin.writable) stdin.write(`${JSON.stringify(message)}\n`);
  });
  if (options.signal?.aborted) throw new ProbeFailure(abortedProblem(), '', conversation);
  const child = start(options, conversation);
  let grace = options.graceMs ?? 2000;
  try {
    const told = conversation.hold(exchange);
    listen(child, conversation, options.command);
    return { ...(await told), stderrTail: child.stderrTail() };
  } catch (cause) {
    if (!(cause instanceof Problem)) throw cause;
    // It has had its time; whoever pressed Ctrl-C should not wait for its manners.
    grace = Math.min(grace, 250);
    throw new ProbeFailure(cause, child.stderrTail(), conversation);
  } finally {
    await child.end(grace);
    options.onEvent?.('ended');
  }
}

function listen(owner: Child, conversation: Conversation, command: string): void {
  const { process: child, ended } = owner;
  const { lineBytes, stdoutBytes } = conversation.limits;
  const lines = new Lines(lineBytes);
  let heard = 0;
  const take = (some: Iterable<Uint8Array>) => {
    try {
      for (const line of some) conversation.hear(line);
    } catch (cause) {
      conversation.fail(cause instanceof LineTooLong ? flood(cause.message) : cause);
      child.stdout.pause();
    }
  };
  child.stdout.on('data', (chunk: Buffer) => {
    heard += chunk.length;
    if (heard > stdoutBytes) {
      child.stdout.pause();
      conversation.fail(flood(`more than ${stdoutBytes} bytes on stdout`));
    } else take(lines.push(chunk));
  });
  child.stdout.once('end', () => {
    const rest = lines.end();
    if (rest !== null) take([rest]);
  });
  const gone = async () => {
    // The exit may be told before the last of its output: let the pipes drain, but a grandchild
    // that inherited them must not hold us either.
    const drained = new Promise((resolve) => child.once('close', resolve));
    const leave = new Promise((resolve) => setTimeout(resolve, 1000).unref());
    await Promise.race([drained, leave]);
    const end = await Promise.race([ended, leave]);
    conversation.fail(exitedProblem(command, conversation, isEnded(end) ? end : undefined));
  };
  void ended.then(gone);
  child.stdout.once('end', () => void gone());
}

/** Throws ProbeFailure: some commands are refused before there is a process. */
function start(options: ProbeOptions, conversation: Conversation): Child {
  try {
    return new Child(options);
  } catch (cause) {
    const { code = '', syscall } = cause as NodeJS.ErrnoException;
    // What Node says of an argument that it does not take shows the argument.
    const why =
      syscall === undefined
        ? 'it is empty, or it, an argument or a variable holds a NUL character'
        : code;
    throw new ProbeFailure(cannotStart(options.command, why, cause), '', conversation);
  }
}

function cannotStart(command: string, why: string, cause: unknown): Problem {
  return new Problem('server.not-found', `cannot start ${command}: ${why}`, {
    mend: 'Check the command, its rights and the working folder.',
    cause,
  });
}

function exitedProblem(
  command: string,
  { method, aside }: Conversation,
  end: Ended | undefined,
): Problem {
  if (end?.error !== undefined) return cannotStart(command, end.error.message, end.error);
  const how =
    end === undefined
      ? 'closed its stdout'
      : end.signal === null
        ? `exited with code ${end.code}`
        : `was ended by ${end.signal}`;
  return new Problem('server.exited', `the server ${how} before answering ${method}${aside}`, {
    mend: 'Its stderr says why; often an argument, a token or a newer Node is wanted.',
  });
}
function isEnded(value: unknown): value is Ended {
  return typeof value === 'object' && value !== null && 'code' in value;
}
