/**
 * A first article, whole and true as it stands, for its author to write over. Pure. What it says
 * must hold for anybody: what a definition consists of, and what was weighed in their own ledger.
 */

/** The folder's files by name. `weighed` names a server that the ledger holds a capture of. */
export function articleFiles(weighed: string | null): Record<string, string> {
  const when = (text: string): string => (weighed === null ? '' : text);
  return {
    'index.mdx': `---
title: ${weighed === null ? 'What a tool definition holds' : `What the tools of ${weighed} cost`}
summary: ${
      weighed === null
        ? 'Every tool that an MCP server lists carries a name, words for the model and a JSON Schema.'
        : `The tools of ${weighed} come to {servers.${weighed}.tokens} tokens of definitions.`
    }
tags: [mcp]
# A draft is shown by \`npm run dev\` alone. Change it to published, then \`npm run record\`.
status: draft
${when(`stats:
  - { figure: servers.${weighed}.tokens, label: tokens of definitions }
`)}---

A client that loads tools upfront sends every definition with each request.

## What a definition holds

<Claim id="parts"/>

That is how the specification has it <Cite id="spec-tool"/>.

## What was weighed
${when(`
<Claim id="weight"/>
`)}
<DataTable id="servers"/>
`,
    'figures.ts': `import type { DeriveFigures } from '../../../src/measure/figure.ts';

/** The article's own figures and tables; src/measure/figures.ts has what works figures out. */
const derive: DeriveFigures = ({ servers }) => ({
  figures: {},
  tables: {
    servers: {
      caption: 'Tool definitions by server',
      columns: [
        { key: 'server', label: 'Server' },
        { key: 'tools', label: 'Tools', numeric: true },
        { key: 'tokens', label: 'Tokens', numeric: true },
      ],
      rows: servers.map(({ name, version }) => ({
        key: name,
        cells: [
          \`\${name} \${version}\`,
          { figure: \`servers.\${name}.tools\` },
          { figure: \`servers.\${name}.tokens\` },
        ],
      })),
    },
  },
});

export default derive;
`,
    'claims.yaml': `# What the article asserts, one thing each. A number is a slot with a figure's id.
- id: parts
  text: A tool has a name of its own and comes with a description of its schema.
  tier: system
  status: [specified]
  sources: [spec-tool]
  section: what-a-definition-holds
  claimed_by: The authors
  why: All of it is text that a model reads before it can choose a tool.
  rationale: The specification says so in these words.
${when(`- id: weight
  text: The {servers.${weighed}.tools} tools of ${weighed} come to {servers.${weighed}.tokens} tokens.
  tier: system
  status: [observed]
  section: what-was-weighed
  claimed_by: The authors
  why: It is what a session pays before the first question.
  rationale: Counted from what the server listed, in the shape and with the tokenizer that the figure's method names.
`)}`,
    'sources.yaml': `# What it rests on besides its own captures. A quote is the exact text; \`npm run sources\` looks for it.
- id: spec-tool
  type: specification
  url: https://github.com/modelcontextprotocol/modelcontextprotocol/blob/b488c16623e5202a3961e551886044577ae0f096/docs/specification/2026-07-28/server/tools.mdx
  title: Model Context Protocol specification, revision 2026-07-28, Tools
  author: Model Context Protocol
  published: 2026-07-28
  quote: Each tool is uniquely identified by a name and includes metadata describing its schema.
  quote_status: unverified
  summary: What a tool definition consists of.
`,
    'skill.md': `---
description: Weighs the tool definitions of an MCP server. Use when asked what a server costs in context.
---

## Procedure

1. In a clone of this site run \`npm run -s weigh -- COMMAND\`, with the command that starts the server.
2. Tell the total, the heaviest tools, and the tokenizer and shape that the report names.
3. Say that another tokenizer gives another count.
${when(`
For comparison: the tools of ${weighed} come to {servers.${weighed}.tokens} tokens.
`)}`,
  };
}
