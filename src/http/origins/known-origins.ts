import { LRUCache } from 'lru-cache';
import { InvalidInput } from '../../errors/errors.ts';
import { withinTime } from '../../identity/limits/time-limit.ts';

const EXPRESSION = /[\\*+?^$()[\]{}|]/;
/** A scheme, a name (RFC 1035 section 2.3.4) and a port. */
const MAX_LENGTH = 8 + 253 + 6;
const MAX_REMEMBERED = 1000;
/** Time limit of the expressions for one origin in milliseconds. */
const MATCH_TIME = 20;
/** Milliseconds after a slow match in which no new origin is matched. */
const PAUSE = 1000;

/**
 * Returns the test for these origins. Values other than origins (`null`, a path behind the host) never
 * match. Callers choose origins: a regular expression that does not terminate is aborted, and for a second only
 * remembered origins match.
 * @param origins `https://host`, or regular expressions that match the whole origin
 * @param setting name of the setting, for the message
 * @param now milliseconds; for tests
 * @throws InvalidInput `invalid_setting` for an invalid expression
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
