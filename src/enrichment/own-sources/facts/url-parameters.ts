import { excerpt } from '../local-answers.ts';
import { type Fact, fact } from './fact.ts';

/** Names of parameters that hold secrets. */
const SECRETS =
  /^(?:pass(?:w(?:or)?d)?|pwd|secret|client_?secret|api_?key|(?:access|auth|refresh|id)?_?token|session_?id|sid|jwt)$/i;
/** Parameters that are looked at. */
const MAX_PARAMETERS = 1_000;
/** Redirections and secrets that are named. */
const MAX_NAMED = 5;
const MAX_ENCODED = 4_096;

/** Returns the URLs and secrets that the parameters and the path of a URL hold. */
export function parameterFacts({ searchParams, pathname, hostname }: URL): readonly Fact[] {
  const parameters = [...searchParams].slice(0, MAX_PARAMETERS);
  const targets = parameters.flatMap(([name, value]): (readonly [place: string, host: string])[] => {
    const host = targetOf(value);
    return host === undefined || host === hostname ? [] : [[`parameter "${excerpt(name, 50)}"`, host]];
  });
  const inPath = targetOf(/\/(https?:\/\/?[^/].*)$/i.exec(pathname)?.[1] ?? '');
  if (inPath !== undefined && inPath !== hostname) targets.push(['path', inPath]);
  const secrets = parameters.filter(([name, value]) => value !== '' && SECRETS.test(name)).map(([name]) => name);
  return [
    ...targets.slice(0, MAX_NAMED).map(([place, host]) => {
      const summary = `The ${place} holds a URL of the host ${excerpt(host)}: the link may lead there.`;
      return fact('redirect-parameter', summary, { confidence: 0.8, severity: 0.4 });
    }),
    ...(secrets.length === 0
      ? []
      : [
          fact(
            'credentials-in-parameters',
            `By their names, parameters hold secrets: ${[...new Set(secrets)].slice(0, MAX_NAMED).join(', ')}.`,
            { confidence: 0.7, severity: 0.4 },
          ),
        ]),
  ];
}

/** Returns the host of the URL that a value is: plain, encoded again, without its scheme, or Base64. */
function targetOf(value: string): string | undefined {
  const text = plainText(value);
  const url = /^(?:https?:)?\/\/|^https?:\/[^/]/i.test(text) ? URL.parse(text, 'http://relative.invalid') : null;
  return url === null || url.hostname === '' || url.hostname === 'relative.invalid' ? undefined : url.hostname;
}

function plainText(value: string): string {
  if (/^aHR0c/.test(value) && value.length <= MAX_ENCODED) return Buffer.from(value, 'base64').toString('utf8');
  if (!/^(?:https?)?(?::|%3a)?(?:%2f|\/){2}|^https?%3a/i.test(value)) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
