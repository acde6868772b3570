/**
 * How each client is started against the capture server: its command line, environment and files.
 * Pure. Everything it hands over is a placeholder or a path in the run's own place; nothing of the
 * machine's own environment goes in.
 */
import type { CLIENT_NAMES, Variant } from './clients.ts';

/** An MCP server as it is attached: how the client is to start it. */
export interface Attached {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
}

export interface LaunchContext {
  /** The capture server's origin, as the client sees it. */
  url: string;
  home: string;
  work: string;
  servers: readonly Attached[];
  variant: Pick<Variant, 'args' | 'env' | 'always_load'>;
}

export interface Launch {
  args: string[];
  env: Record<string, string>;
  /** Files to write before, by absolute path. */
  files: Record<string, string>;
}

const PROMPT = 'say ok';
/** No secret: the capture server takes anything, and this is easily told from a real one. */
const TOKEN = 'dummy';

const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const byName = <T>(servers: readonly Attached[], make: (server: Attached) => T) =>
  Object.fromEntries(servers.map((server) => [server.name, make(server)]));

function claudeCode({ url, home, servers, variant }: LaunchContext): Launch {
  const config = `${home}/mcp.json`;
  const mcpServers = byName(servers, ({ command, args, env }) => ({
    command,
    args,
    env,
    ...(variant.always_load ? { alwaysLoad: true } : {}),
  }));
  return {
    args: [
      ...['-p', PROMPT, '--output-format', 'json', '--mcp-config', config, '--strict-mcp-config'],
      ...variant.args,
    ],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: TOKEN,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // Else the first request leaves before the servers are connected, or, with the first alone,
      // after five seconds, whoever is still missing.
      MCP_CONNECTION_NONBLOCKING: '0',
      MCP_CONNECT_TIMEOUT_MS: '60000',
      MCP_TIMEOUT: '60000',
    },
    files: { [config]: pretty({ mcpServers }) },
  };
}

function codex({ url, home, servers, variant }: LaunchContext): Launch {
  // JSON strings and arrays of them are TOML too.
  const toml = [
    'model_provider = "weighbridge"',
    'check_for_update_on_startup = false',
    '[analytics]',
    'enabled = false',
    '[model_providers.weighbridge]',
    'name = "weighbridge"',
    `base_url = ${JSON.stringify(`${url}/v1`)}`,
    'wire_api = "responses"',
    'env_key = "WEIGHBRIDGE_TOKEN"',
    'request_max_retries = 0',
    'stream_max_retries = 0',
    ...servers.flatMap(({ name, command, args, env }) => [
      `[mcp_servers.${name}]`,
      `command = ${JSON.stringify(command)}`,
      `args = ${JSON.stringify(args)}`,
      'startup_timeout_sec = 60',
      // Else a turn begins before the servers are there.
      'required = true',
      `[mcp_servers.${name}.env]`,
      ...Object.entries(env).map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
    ]),
  ];
  return {
    args: ['exec', '--skip-git-repo-check', '--json', ...variant.args, PROMPT],
    env: { WEIGHBRIDGE_TOKEN: TOKEN },
    files: { [`${home}/.codex/config.toml`]: `${toml.join('\n')}\n` },
  };
}

function opencode({ url, work, servers, variant }: LaunchContext): Launch {
  const config = {
    autoupdate: false,
    share: 'disabled',
    model: 'weighbridge/model',
    provider: {
      weighbridge: {
        npm: '@ai-sdk/openai-compatible',
        name: 'weighbridge',
        options: { baseURL: `${url}/v1`, apiKey: TOKEN },
        models: { model: { name: 'model' } },
      },
    },
    mcp: byName(servers, ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      environment: env,
      timeout: 60_000,
    })),
  };
  return {
    args: ['run', ...variant.args, PROMPT],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    },
    files: { [`${work}/opencode.json`]: pretty(config) },
  };
}

function geminiCli({ url, home, servers, variant }: LaunchContext): Launch {
  const settings = {
    security: { auth: { selectedType: 'gemini-api-key' } },
    general: { disableAutoUpdate: true, disableUpdateNag: true },
    privacy: { usageStatisticsEnabled: false },
    // Without a terminal it leaves out the tools that it would have to ask about: those of servers
    // that are not trusted.
    mcpServers: byName(servers, ({ command, args, env }) => ({ command, args, env, trust: true })),
  };
  return {
    args: ['-p', PROMPT, ...variant.args],
    env: {
      GEMINI_API_KEY: TOKEN,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      // Else it starts itself anew with more memory, and one process becomes two.
      GEMINI_CLI_NO_RELAUNCH: 'true',
    },
    files: { [`${home}/.gemini/settings.json`]: pretty(settings) },
  };
}

const LAUNCHERS = {
  'claude-code': claudeCode,
  codex,
  opencode,
  'gemini-cli': geminiCli,
} as const satisfies Record<(typeof CLIENT_NAMES)[number], (context: LaunchContext) => Launch>;

/** How the client is started. The variant's environment wins over the client's own. */
export function launch(client: (typeof CLIENT_NAMES)[number], context: LaunchContext): Launch {
  const made = LAUNCHERS[client](context);
  const { url, home, variant } = context;
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: home,
    // Traffic for elsewhere goes to the capture server too, which notes the host and refuses.
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    http_proxy: url,
    https_proxy: url,
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
    ...made.env,
    ...variant.env,
  };
  return { ...made, env };
}
