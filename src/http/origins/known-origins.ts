import { LRUCache } from 'lru-cache';
import { InvalidInput } from '../../errors/errors.ts';
import { withinTime } from '../../identity/limits/time-limit.ts';

const EXPRESSION = /[\\*+?^$()[\]{}|]/;
/** A scheme, a name (RFC 1035 section 2.3.4) and a port. */
const MAX_LENGTH = 8 + 253 + 6;
const MAX_REMEMBERED = 1000;
/** Milliseconds that the expressions have for an origin; they take none of them. */
const MATCH_TIME = 20;
/** Milliseconds until the next origin is tried after one that took longer: nobody keeps the service busy by sending such. */
const PAUSE = 1000;

/**
 * Whether an origin is one of these. What is not an origin (`null`, a path behind the host) never is. Anybody may send any: an expression that does not
 * come to an end is given up, then for a second only origins that were seen before are known.
 * @param origins `https://host`, or regular expressions that the whole origin has to match
 * @param setting name of the setting that they come from, for the message
 * @param now milliseconds; for tests
 * @throws InvalidInput `invalid_setting` when an expression cannot be read
 */
export function originTest(
  origins: readonly string[],
  setting: string,
  now: () => number = Date.now,
): (origin: string) => boolean {
  const exact = new Set(origins.filter((one) => !EXPRESSION.test(one)).map((one) => one.replace(/\/$/, '')));
  const patterns = origins.filter((one) => EXPRESSION.test(one)).map((one) => wholeMatch(one, setting));
  const remembered = new LRUCache<string, boolean>({ max: MAX_REMEMBERED });
  let pauseEnds = 0;
  const matches = (origin: string): boolean => {
    const known = remembered.get(origin);
    if (known !== undefined) return known;
    if (now() < pauseEnds) return false;
    const matched = withinTime(MATCH_TIME, () => patterns.some((pattern) => pattern.test(origin)));
    if (matched === undefined) pauseEnds = now() + PAUSE;
    else remembered.set(origin, matched.result);
    return matched?.result === true;
  };
  return (origin) => isOrigin(origin) && (exact.has(origin) || (patterns.length > 0 && matches(origin)));
}

function wholeMatch(text: string, setting: string): RegExp {
  try {
    return new RegExp(`^(?:${text})$`, 'i');
  } catch (cause) {
    throw new InvalidInput('invalid_setting', `${setting}: ${text} is not a regular expression.`, {
      cause,
      at: setting,
    });
  }
}

function isOrigin(text: string): boolean {
  return text.length <= MAX_LENGTH && URL.parse(text)?.origin === text;
}
