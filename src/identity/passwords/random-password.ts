import { randomInt } from 'node:crypto';
import type { Settings } from '../../config/config-schema.ts';

/** Kinds of characters that requirements name, without those that look alike. */
const KINDS = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '-_.+=#%@'] as const;
const ALL = KINDS.join('');
/** 24 characters of 65 have 144 random bits. */
const LENGTH = 24;

/** Returns a password with characters of every kind, which meets any requirements. */
export function randomPassword({
  min_length,
}: Pick<Settings['auth']['internal']['password_requirements'], 'min_length'>) {
  const length = Math.max(LENGTH, min_length);
  for (;;) {
    const password = Array.from({ length }, () => ALL[randomInt(ALL.length)]).join('');
    if (KINDS.every((kind) => [...kind].some((character) => password.includes(character)))) return password;
  }
}
