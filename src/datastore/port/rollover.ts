import { InvalidInput } from '../../errors/errors.ts';
import type { IndexInfo, RolloverConditions } from './index-admin.ts';

const AGES: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const SIZES: Readonly<Record<string, number>> = {
  b: 1,
  kb: 2 ** 10,
  mb: 2 ** 20,
  gb: 2 ** 30,
  tb: 2 ** 40,
  pb: 2 ** 50,
};

/** Returns whether one of the conditions is met; an empty index is rolled over only by force. */
export function rolloverConditionMet(conditions: RolloverConditions, index: IndexInfo): boolean {
  if (conditions.force === true) return true;
  const age = conditions.maxAge === undefined ? undefined : millisecondsOf(conditions.maxAge);
  const size = conditions.maxPrimaryShardSize === undefined ? undefined : bytesOf(conditions.maxPrimaryShardSize);
  if (index.documents === 0) return false;
  const oldEnough = age !== undefined && Date.now() - index.createdAt.getTime() >= age;
  return oldEnough || (size !== undefined && index.bytes >= size);
}

/** `name-000001` → `name-000002`; throws `invalid_index_name` unless the name ends in a number. */
export function nextGeneration(name: string): string {
  const match = /^(?<stem>.*-)(?<number>\d+)$/.exec(name)?.groups;
  if (match) return `${match.stem}${String(Number(match.number) + 1).padStart(6, '0')}`;
  const message = `The index ${name} cannot be rolled over: its name does not end in -000001 or so.`;
  throw new InvalidInput('invalid_index_name', message);
}

/** `30d` → milliseconds. @throws InvalidInput `invalid_duration` */
export function millisecondsOf(age: string): number {
  return amount(age, AGES, 'maxAge');
}

/** `50gb` → bytes. @throws InvalidInput `invalid_duration` */
export function bytesOf(size: string): number {
  return amount(size, SIZES, 'maxPrimaryShardSize');
}

function amount(text: string, units: Readonly<Record<string, number>>, at: string): number {
  const match = /^(?<amount>\d+(?:\.\d+)?)(?<unit>[a-z]+)$/.exec(text.toLowerCase().trim())?.groups;
  const unit = units[match?.unit ?? ''];
  if (match && unit !== undefined) return Number(match.amount) * unit;
  const message = `${JSON.stringify(text)} is not an amount. Units are ${Object.keys(units).join(', ')}.`;
  throw new InvalidInput('invalid_duration', message, { at });
}
