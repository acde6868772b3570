/** Reads the tools back out of a captured payload; never repairs what a server sent. */
import type { Tool } from './figure.ts';

/**
 * The tools of a tools_list payload (one JSON-RPC response line a page, UTF-8, `\n` after each), in
 * the order listed, with every field they came with. Throws SyntaxError, naming the page, when a
 * line is not such a response, or TypeError when it is not UTF-8.
 */
export function parsePayload(bytes: Uint8Array): Tool[] {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  if (!text.endsWith('\n')) throw new SyntaxError('the payload does not end with a line feed');
  return text
    .slice(0, -1)
    .split('\n')
    .flatMap((line, index) => {
      const where = `page ${index + 1}`;
      let message: unknown;
      try {
        message = JSON.parse(line);
      } catch (cause) {
        throw new SyntaxError(`${where} is not JSON`, { cause });
      }
      const tools = field(field(message, 'result'), 'tools');
      if (!Array.isArray(tools)) throw new SyntaxError(`${where} has no list at result.tools`);
      return tools.map((tool: unknown, place): Tool => {
        if (!isTool(tool)) throw new SyntaxError(`${where}: tool ${place + 1} has no name`);
        return tool;
      });
    });
}

/**
 * The tools of a file that somebody else wrote: a bare array, a `tools/list` result, a JSON-RPC
 * response, or a captured payload of one response a line. Throws SyntaxError, saying what it is
 * instead, or TypeError when it is not UTF-8.
 */
export function parseCatalogue(bytes: Uint8Array): Tool[] {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (!/\}\s*\n\s*\{/.test(text)) throw new SyntaxError('it is not JSON');
    return parsePayload(new TextEncoder().encode(`${text.trim().replace(/\r\n/g, '\n')}\n`));
  }
  const tools = [value, field(value, 'tools'), field(field(value, 'result'), 'tools')].find(
    Array.isArray,
  );
  if (tools === undefined) {
    throw new SyntaxError('it holds no list of tools: no array, no tools, no result.tools');
  }
  return tools.map((tool: unknown, place): Tool => {
    if (!isTool(tool)) throw new SyntaxError(`tool ${place + 1} has no name`);
    for (const foreign of ['input_schema', 'parameters', 'function']) {
      if (tool.inputSchema !== undefined || field(tool, foreign) === undefined) continue;
      throw new SyntaxError(
        `tool ${place + 1} has ${foreign}, so it is not as a server lists it (with inputSchema)`,
      );
    }
    return tool;
  });
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

function isTool(value: unknown): value is Tool {
  return !Array.isArray(value) && typeof field(value, 'name') === 'string';
}
