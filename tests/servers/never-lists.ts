import { serve } from './serve.ts';

serve({ 'tools/list': () => {} });
