// Ends itself by a signal instead of answering tools/list.
import { serve } from './serve.ts';

serve({ 'tools/list': () => process.kill(process.pid, 'SIGTERM') });
