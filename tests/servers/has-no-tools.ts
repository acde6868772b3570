import { serve } from './serve.ts';

serve({}, { capabilities: { prompts: {} } });
