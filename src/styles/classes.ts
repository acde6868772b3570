/**
 * Turns the inline styles that Markdown tables and code highlighting would carry into classes, so
 * that a page's policy can forbid inline styles; it must never drop one without a class for it.
 */
import { defineHastPlugin } from 'satteri';
import type { ShikiTransformer } from 'shiki';

const ALIGNED = /^text-align:\s*(left|center|right)$/;
const TOKEN = /^color:var\(--astro-code-(?:token-)?([a-z-]+)\)$/;

/** One plugin for Sätteri's tables and one for Shiki's spans; their rules stand in site.css and code.css. */
export function classesForStyles() {
  const alignment = defineHastPlugin({
    name: 'alignment-as-class',
    element: {
      filter: ['th', 'td'],
      visit(node, context) {
        const side = ALIGNED.exec(String(node.properties['style'] ?? ''))?.[1];
        if (side === undefined) return;
        context.setProperty(node, 'style', undefined);
        context.setProperty(node, 'className', [`align-${side}`]);
      },
    },
  });
  const highlighting: ShikiTransformer = {
    name: 'style-as-class',
    pre(node) {
      delete node.properties['style'];
    },
    span(node) {
      const token = TOKEN.exec(String(node.properties['style'] ?? ''))?.[1];
      if (token === undefined) return;
      delete node.properties['style'];
      if (token !== 'foreground') node.properties['class'] = `token-${token}`;
    },
  };
  return { alignment, highlighting };
}
