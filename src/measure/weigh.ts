/** Weighs one catalogue: tokens by part and by tool, repeats, share of a window. Pure. */
/** The JSON that `weigh --json` prints, less what only a probe knows (server, protocol). */
export interface Weight {
  shape: 'anthropic' | 'openai' | 'raw';
  tokenizer: string;
  tools: number;
  /** UTF-8 bytes of the compact JSON in the shape. */
  bytes: number;
  tokens: { total: number; name: number; description: number; schema: number; punctuation: number };
  perTool: {
    name: string;
    total: number;
    name_tokens: number;
    description_tokens: number;
    schema_tokens: number;
  }[];
  duplicates: {
    blocks: { path: string; copies: number; bytes: number }[];
    redundantBytes: number;
    defs: {
      names: string[];
      copies: number;
      redundantBytes: number;
      schemaBytes: number;
      schemaTokens: number;
      schemaTokensWithout: number;
    };
  };
}
