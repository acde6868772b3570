/**
 * Lets our own TypeScript run where it is installed: Node strips types itself, but not below
 * node_modules. So what runs is the source as published, line for line, and nothing has to be built.
 * It must never touch the files of another package.
 */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('../..', import.meta.url).href;

if (root.includes('/node_modules/')) {
  // It warns once that it is experimental, on the stderr of whoever runs us. We have pinned a Node
  // and test with it, and every run's first line of output is not the place to say so.
  const { emitWarning } = process;
  process.emitWarning = () => {};
  stripTypeScriptTypes('');
  process.emitWarning = emitWarning;
  registerHooks({
    load(url, context, next) {
      const [path] = url.split(/[?#]/, 1);
      const ours = path.startsWith(root) && !path.slice(root.length).includes('node_modules/');
      if (!ours || !path.endsWith('.ts')) return next(url, context);
      const source = stripTypeScriptTypes(readFileSync(fileURLToPath(path), 'utf8'));
      return { format: 'module', source, shortCircuit: true };
    },
  });
}
