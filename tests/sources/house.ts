/** Pages of every temper on loopback, for tests of what asks for them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface House {
  /** `http://127.0.0.1:<port>`. */
  origin: string;
  /** Every request so far: path and who asked. */
  asked: { path: string; agent: string }[];
  /** Most requests that were open at the same time. */
  most(): number;
  close(): Promise<void>;
}

export async function house(): Promise<House> {
  const asked: House['asked'] = [];
  let open = 0;
  let most = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    asked.push({ path, agent: request.headers['user-agent'] ?? '' });
    most = Math.max(most, ++open);
    response.on('close', () => open--);
    const say = (type: string, body: string | Buffer) =>
      response.writeHead(200, { 'content-type': type }).end(body);
    const [, kind = '', rest = ''] = path.split('/');
    if (kind === 'page') say('text/html; charset=utf-8', '<p>It costs <b>40</b> tokens.</p>');
    else if (kind === 'latin')
      say('text/html; charset=ISO-8859-1', Buffer.from('<p>Caf\xe9', 'latin1'));
    else if (kind === 'meta') {
      say('text/html', Buffer.from('<meta charset="windows-1252"><p>Caf\xe9', 'latin1'));
    } else if (kind === 'pdf') say('application/pdf', '%PDF-1.7');
    else if (kind === 'odd') say('text/html; charset=klingon', '<p>It costs 40 tokens.');
    else if (kind === 'status') response.writeHead(Number(rest)).end('It costs 40 tokens.');
    else if (kind === 'slow') setTimeout(say, 500, 'text/html', '<p>It costs 40 tokens.');
    else if (kind === 'to') response.writeHead(302, { location: '/page' }).end();
    else if (kind === 'loop') response.writeHead(301, { location: '/loop' }).end();
    else if (kind === 'file') response.writeHead(302, { location: 'file:///etc/hosts' }).end();
    else if (kind === 'endless') {
      response.writeHead(200, { 'content-type': 'text/html' });
      const timer = setInterval(() => response.write('<p>more</p>'.repeat(1000)), 1);
      response.on('close', () => clearInterval(timer));
    } else if (kind === 'cut') {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '999' });
      response.write('<p>It costs 40', () => request.socket.destroy());
    } else if (kind !== 'silent') response.writeHead(500).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    most: () => most,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
