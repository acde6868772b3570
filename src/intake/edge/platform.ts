/** The little of Cloudflare's platform that is used here, as its documentation has it; types alone. */

export interface Assets {
  fetch(request: Request | URL): Promise<Response>;
}
export interface DurableObjectState {
  storage: {
    sql: {
      exec(
        sql: string,
        ...values: (string | number | null)[]
      ): { toArray(): Record<string, unknown>[] };
    };
    transactionSync<T>(act: () => T): T;
  };
}
export interface Env {
  /** The built site. */
  ASSETS: Assets;
  QUEUE: { getByName(name: string): { fetch(request: Request): Promise<Response> } };
  /** Secrets, set with `wrangler secret put`: the owner's key, and the key that signs receipts. */
  TERMINAL_KEY?: string;
  INTAKE_KEY?: string;
  /** As the site was built with. */
  SITE_URL?: string;
  BASE_PATH?: string;
  INTAKE_PER_MINUTE?: string;
  /** Another origin whose pages may post forms; for trying it locally. */
  ALSO_ORIGIN?: string;
}
