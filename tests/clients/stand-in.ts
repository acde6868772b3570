/**
 * A stand-in for a client, for tests of how clients are run: `--act WHAT` says how it behaves. It is
 * started as Claude Code would be and sends what a client might.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const option = (name: string) => process.argv[process.argv.indexOf(name) + 1] ?? '';
const base = process.env['ANTHROPIC_BASE_URL'] ?? '';

async function ask(): Promise<string> {
  const config = JSON.parse(readFileSync(option('--mcp-config'), 'utf8')) as { mcpServers: object };
  const tools = Object.keys(config.mcpServers).map((name) => ({
    name: `mcp__${name}__read`,
    input_schema: { env: Object.keys(process.env).sort(), cwd: process.cwd() },
  }));
  const response = await fetch(`${base}/v1/messages`, {
    method: 'POST',
    headers: { 'user-agent': 'claude-cli/9.9.9 (external)', authorization: 'Bearer CANARY' },
    body: JSON.stringify({
      model: 'claude-test',
      stream: true,
      tools: process.argv.includes('--forget') ? tools.slice(1) : tools,
      messages: [{ role: 'user', content: option('-p') }],
    }),
  });
  return response.text();
}

switch (option('--act')) {
  case 'ok':
    process.stdout.write(await ask());
    break;
  case 'hang':
    await sleep(600_000);
    break;
  case 'crash':
    process.stderr.write(
      `Error at ${import.meta.filename}: token sk-ant-0123456789abcdef0123456789\n`,
    );
    process.exitCode = 3;
    break;
  case 'login':
    process.stderr.write('Not logged in. Please run /login\n');
    process.exitCode = 1;
    break;
  case 'silent':
    break;
  case 'leave': {
    // Its own session, so that it outlives the client's process group.
    const child = spawn(
      process.execPath,
      ['-e', 'setTimeout(() => {}, 600000)', option('--mark')],
      {
        detached: true,
        stdio: 'ignore',
      },
    );
    child.unref();
    await ask();
    break;
  }
  case 'roam': {
    const proxy = new URL(process.env['HTTPS_PROXY'] ?? '');
    await new Promise<void>((done) => {
      const socket = connect(Number(proxy.port), proxy.hostname, () => {
        socket.write('CONNECT telemetry.example:443 HTTP/1.1\r\nhost: telemetry.example\r\n\r\n');
      });
      socket.resume().on('close', () => done());
    });
    await ask();
    break;
  }
}
