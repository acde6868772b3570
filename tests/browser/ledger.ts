/** Presses "verify the whole ledger" on a served copy and reads what it says. */
import { open } from './site.ts';
import { type Alter, serveAltered, signedLog, tamperings } from './tampered.ts';

export const mine = await signedLog(1);
export const other = await signedLog(2);
export const ways = tamperings(mine.published, other.published);

export async function verifyInBrowser(
  alter: Alter,
  vkey?: string,
): Promise<{ state: string | undefined; says: string; seconds: number }> {
  const served = await serveAltered(mine.published, alter);
  try {
    return await open(
      `${served.home}/ledger/`,
      async (page) => {
        const button = page.locator('#verify-whole button');
        if (vkey !== undefined) await page.getByLabel(/^Public key/).fill(vkey);
        const began = performance.now();
        await button.click();
        const result = page.locator(
          '#verify-whole .again:is([data-state="equal"], [data-state="differs"])',
        );
        await result.waitFor({ timeout: 60_000 });
        const seconds = (performance.now() - began) / 1000;
        const state = (await result.getAttribute('data-state')) ?? undefined;
        return { state, says: (await result.textContent()) ?? '', seconds };
      },
      { complaints: true }, // a file that is gone is a 404, of which the console complains
    );
  } finally {
    await served.close();
  }
}
