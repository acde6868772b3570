import { serve } from './serve.ts';

serve({}, { protocolVersion: '2024-11-05', serverInfo: undefined });
