/** Days as content and posts name them: YYYY-MM-DD. Pure, and without a library: a browser reads posts too. */

/** Is there such a day in the calendar? */
export function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text;
}

/** The last day that what is told at a time can be of: clocks and time zones may be a day ahead. */
export const lastDay = (now: Date): string =>
  new Date(now.getTime() + 86_400_000).toISOString().slice(0, 10);
