/** `getStaticPaths` of every route of a client, captured or not. */
import { readSite } from './_site.ts';

export async function clientPaths() {
  const { clients } = await readSite();
  return clients.map((client) => ({ params: { name: client.name }, props: { client } }));
}
