/**
 * Ends the process groups that this process started, once it is killed in a way that it can't hear of
 * (`kill -9`, out of memory). It must never touch a group that was not given to it, nor one given back.
 *
 * A shell does it, one for this process and from its first group on: it costs a millisecond to start,
 * every system with process groups has it, and what it reads ends with us, however we do.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/** `+ GROUP` and `- GROUP` a line; at the end of its input, whatever was not taken back is killed. */
const SCRIPT = `
groups=
while read -r does group; do
  left=
  for one in $groups; do [ "$one" = "$group" ] || left="$left $one"; done
  groups=$left
  [ "$does" = + ] && groups="$groups $group"
done
for one in $groups; do kill -s KILL -- "-$one"; done
`;

let dog: ChildProcessByStdio<Writable, null, null> | null = null;
const groups = new Set<number>();

function tell(does: '+' | '-', group: number): void {
  dog?.stdin.write(`${does} ${group}\n`);
}

function start(): void {
  // In a session of its own, so that neither Ctrl-C nor the end of our group ends it before its time.
  const started = spawn('/bin/sh', ['-c', SCRIPT], {
    cwd: '/',
    detached: true,
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  dog = started;
  // Without a shell, or once it has gone, there is no watch; nothing else fails for that.
  const gone = () => {
    if (dog === started) dog = null;
  };
  started.once('error', gone).once('exit', gone);
  started.stdin.on('error', gone);
  // It waits for us, and must not be waited for.
  started.unref();
  (started.stdin as Writable & { unref(): void }).unref();
  for (const group of groups) tell('+', group);
}

/** From now on the process group dies with this process. */
export function watch(group: number): void {
  if (process.platform === 'win32') return;
  groups.add(group);
  if (dog === null) start();
  else tell('+', group);
}

/** The group has ended, or is nobody's to end; its number may be given out again. */
export function unwatch(group: number): void {
  if (groups.delete(group)) tell('-', group);
}
