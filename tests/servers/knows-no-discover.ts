// Says of `server/discover` what nearly every server says.
import { serve } from './serve.ts';

serve();
