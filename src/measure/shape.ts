/** Puts listed tools into the shape a client sends them in; never changes the order or a name's text. */
import type { Tool } from './figure.ts';

export const SHAPES = ['anthropic', 'openai', 'raw'] as const;
export type Shape = (typeof SHAPES)[number];

/** One tool as it is sent, with its three parts at hand. */
export interface ShapedTool {
  /** What the server calls it. */
  listed: string;
  /** What the model is told it is called: `mcp__<server>__<tool>`, or as listed in the raw shape. */
  name: string;
  /** Absent when the server gave no text. */
  description?: string;
  /** The input schema; absent when the server gave none. */
  schema?: unknown;
  /** The JSON value that is sent. */
  sent: Record<string, unknown>;
}

/**
 * The tools as `shape` sends them. `anthropic`: `{name, description, input_schema}`; `openai`:
 * `{type: "function", function: {name, description, parameters}}`; `raw`: as listed, all fields.
 * A tool without a description gets no `description` key: both APIs take it as optional, and an
 * empty string would be tokens that the server did not cause. The same holds for a missing schema.
 */
export function shapeTools(tools: readonly Tool[], shape: Shape, server: string): ShapedTool[] {
  return tools.map((tool) => {
    const name = shape === 'raw' ? tool.name : `mcp__${server}__${tool.name}`;
    const described = typeof tool.description === 'string' ? { description: tool.description } : {};
    const schema = tool.inputSchema;
    const has = schema !== undefined;
    const sent: Record<string, unknown> =
      shape === 'raw'
        ? tool
        : shape === 'anthropic'
          ? { name, ...described, ...(has && { input_schema: schema }) }
          : {
              type: 'function',
              function: { name, ...described, ...(has && { parameters: schema }) },
            };
    return { listed: tool.name, name, ...described, ...(has && { schema }), sent };
  });
}

/** The compact JSON that is counted: no white space, keys in the order in which they came. */
export function serialise(value: unknown): string {
  return JSON.stringify(value);
}
