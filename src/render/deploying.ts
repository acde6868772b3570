/** `/deploy/`: what is typed to put a site to work, in one place for the page and its tests. Pure. */
import type { SiteAddress } from '../site.ts';

export const DEPLOYING = { page: '/deploy/', markdown: '/deploy.md' } as const;

/** Where the site is to be, in an example: never where it is built. */
const HOST = 'example.org';
const PORT = 4321;

export const ONE_MACHINE = `npm run new -- key ../intake.key       # once, and outside the project: signs receipts
openssl rand -hex 32 > ../terminal.key
SITE_URL=https://${HOST} \\
INTAKE_ADDRESS_HEADER=x-real-ip INTAKE_KEY_FILE=../intake.key \\
TERMINAL_KEY=$(cat ../terminal.key) WEIGHBRIDGE_LOG=1 \\
npm start -- --port ${PORT}`;

/** What stands in nginx' `server`, before a site under that base. */
export const nginxBlock = ({ base }: Pick<SiteAddress, 'base'>): string =>
  `location ${base}/ {
  proxy_pass http://127.0.0.1:${PORT};
  proxy_http_version 1.1;
  proxy_set_header connection "";
  proxy_set_header x-real-ip $remote_addr;
}`;

export const FILES_ALONE = `SITE_URL=https://${HOST} BASE_PATH=/sub npm run build
rsync -a --delete dist/ ${HOST}:/var/www/sub/`;

const CONFIG = 'src/intake/edge/wrangler.jsonc';
export const EDGE = `SITE_URL=https://${HOST} npm run build
npm run edge                               # first here, on workerd and without an account
npx wrangler secret put TERMINAL_KEY -c ${CONFIG}
npx wrangler secret put INTAKE_KEY -c ${CONFIG}
npx wrangler deploy -c ${CONFIG} --var SITE_URL:https://${HOST}
TERMINAL_KEY=… npm run accept -- --site https://${HOST}`;
