// One line that never ends.
import { stdout } from 'node:process';

const chunk = 'x'.repeat(65_536);
const pour = () => {
  while (stdout.write(chunk));
};
stdout.on('drain', pour);
pour();
