// Notifications without end: every line is sound, together they are a flood.
import { stdout } from 'node:process';

const chunk = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress' })}\n`.repeat(
  999,
);
const pour = () => {
  while (stdout.write(chunk));
};
stdout.on('drain', pour);
pour();
