/**
 * The queue's tables, and what is asked of them, in the SQL that both a file on one machine and a
 * Durable Object understand. It opens no database and makes nothing last: that is for those who do.
 */
import type { Arrival, Kept, Outcome, Which } from './queue.ts';

/** Runs one statement and gives its rows. */
export type Run = (sql: string, ...values: (string | number | null)[]) => Record<string, unknown>[];

const TABLES = [
  `CREATE TABLE IF NOT EXISTS posts (
    at INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    article TEXT NOT NULL, claim TEXT, body TEXT, salt TEXT, commitment TEXT NOT NULL,
    body_sha256 TEXT UNIQUE, received_at TEXT NOT NULL, keyed INTEGER NOT NULL,
    status TEXT NOT NULL, seq INTEGER, reason TEXT)`,
  'CREATE INDEX IF NOT EXISTS posts_article ON posts (article, status, at)',
  'CREATE INDEX IF NOT EXISTS posts_status ON posts (status, at)',
  'CREATE TABLE IF NOT EXISTS keys (key TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID',
];

export class Tables {
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
    for (const table of TABLES) run(table);
  }

  /** To be called in a transaction. As Queue.put. */
  put(one: Arrival, key: string | null): { kept: Kept; first: boolean } {
    // One question each: a single one over both indexes takes SQLite several times as long.
    const [same] = this.#run('SELECT * FROM posts WHERE body_sha256 = ?', one.body_sha256);
    const [before = same] =
      same !== undefined || key === null
        ? []
        : this.#run('SELECT * FROM posts WHERE at = (SELECT at FROM keys WHERE key = ?)', key);
    if (before !== undefined) {
      const kept = keptOf(before);
      if (key !== null && kept.body_sha256 === one.body_sha256) this.#name(key, kept.at);
      return { kept, first: false };
    }
    const [row] = this.#run(
      `INSERT INTO posts (id, kind, article, claim, body, salt, commitment, body_sha256, received_at,
         keyed, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued') RETURNING at`,
      ...[one.id, one.kind, one.article, one.claim, one.body, one.salt, one.commit],
      ...[one.body_sha256, one.received_at, one.keyed ? 1 : 0],
    );
    const at = row!['at'] as number;
    if (key !== null) this.#name(key, at);
    return { kept: { ...one, at, status: 'queued', seq: null, reason: null }, first: true };
  }

  #name(key: string, at: number): void {
    this.#run('INSERT INTO keys (key, at) VALUES (?, ?) ON CONFLICT DO NOTHING', key, at);
  }

  get(id: string): Kept | null {
    const [row] = this.#run('SELECT * FROM posts WHERE id = ?', id);
    return row === undefined ? null : keptOf(row);
  }

  list({ article, kind, status, after = 0, limit }: Which): Kept[] {
    const where = ['at > ?'];
    const values: (string | number)[] = [after];
    for (const [column, value] of Object.entries({ article, kind, status })) {
      if (value === undefined) continue;
      where.push(`${column} = ?`);
      values.push(value);
    }
    const sql = `SELECT * FROM posts WHERE ${where.join(' AND ')} ORDER BY at LIMIT ?`;
    return this.#run(sql, ...values, limit).map(keptOf);
  }

  /** To be called in a transaction. As Queue.acknowledge; what was erased stays so. */
  acknowledge(id: string, { status, seq, reason }: Outcome): Kept | null {
    const gone = status === 'erased' ? ', body = NULL, salt = NULL, body_sha256 = NULL' : '';
    this.#run(
      `UPDATE posts SET status = ?, seq = ?, reason = ?${gone} WHERE id = ? AND status <> 'erased'`,
      ...[status, seq, reason, id],
    );
    const kept = this.get(id);
    // What it was called by may be a hash of its words, as one that posts by hand would choose it.
    if (kept?.status === 'erased') this.#run('DELETE FROM keys WHERE at = ?', kept.at);
    return kept;
  }
}

function keptOf({ commitment, keyed, ...row }: Record<string, unknown>): Kept {
  return { ...row, commit: commitment, keyed: keyed === 1 } as unknown as Kept;
}
