import type { DemoRandom } from './demo-random.ts';

const DAY = 86_400_000;
/** Number of days that the demo covers. */
export const DEMO_DAYS = 30;

/**
 * `count` moments of the last 30 days before `now`, oldest first: mostly in working hours of weekdays,
 * more on some days than on others, the last of them within the past hour.
 */
export function momentsBefore(now: Date, count: number, random: DemoRandom): Date[] {
  const busy = Array.from({ length: DEMO_DAYS }, (_, ago) => ({ ago, weight: dayWeight(now, ago, random) }));
  const moments = Array.from({ length: count - 1 }, () => {
    const { ago } = random.weighted(busy);
    const day = Math.floor((now.getTime() - ago * DAY) / DAY) * DAY;
    // UTC; the company works in Montréal.
    const hour = random.chance(0.72) ? random.integer(12, 21) : random.integer(0, 23);
    const moment =
      day + ((hour * 60 + random.integer(0, 59)) * 60 + random.integer(0, 59)) * 1000 + random.integer(0, 999);
    return Math.min(moment, now.getTime() - random.integer(60_000, 5_400_000));
  });
  const latest = now.getTime() - random.integer(4 * 60_000, 40 * 60_000);
  return [...moments, latest].sort((left, right) => left - right).map((moment) => new Date(moment));
}

function dayWeight(now: Date, ago: number, random: DemoRandom): number {
  const weekday = new Date(now.getTime() - ago * DAY).getUTCDay();
  const base = weekday === 0 || weekday === 6 ? 0.35 : 1;
  return base * (0.5 + random.next());
}
