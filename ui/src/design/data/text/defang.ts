export type IndicatorKind = 'ip' | 'domain' | 'url' | 'mail';

const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5}|\/\d{1,2})?$/;
const IPV6 = /^\[?(?=[0-9a-f:.]*:[0-9a-f:.]*:)[0-9a-f:.]{2,45}\]?(?:\/\d{1,3})?$/i;
const DOMAIN = /^(?:[\p{L}\p{N}_-]{1,63}\.)+[\p{L}][\p{L}\p{N}-]{1,62}\.?$/u;
const MAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;
const URL_SHAPE = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;
/** The longest address that a browser accepts is about as long; longer values are no indicators. */
const MAX_LENGTH = 8192;

/**
 * Returns the kind of an indicator by its form, or undefined for everything else (hashes, words,
 * paths).
 */
export function indicatorKind(value: string): IndicatorKind | undefined {
  if (value.length > MAX_LENGTH) return undefined;
  if (URL_SHAPE.test(value)) return 'url';
  if (IPV4.test(value) || IPV6.test(value)) return 'ip';
  if (MAIL.test(value)) return 'mail';
  return DOMAIN.test(value) ? 'domain' : undefined;
}

/**
 * Returns an indicator in the form that no program turns into a link: `hxxps://evil[.]example`,
 * `a[@]b[.]example`, `10[.]0[.]0[.]1`, `2001[:]db8[:][:]1`. Values that are no indicators stay as they
 * are.
 */
export function defang(value: string, kind: IndicatorKind | undefined = indicatorKind(value)): string {
  if (kind === undefined) return value;
  if (kind === 'url') return defangUrl(value);
  if (kind === 'mail') return dots(value).replaceAll('@', '[@]');
  return kind === 'ip' && !value.includes('.') ? value.replaceAll(':', '[:]') : dots(value);
}

/**
 * Returns the plain form of a defanged indicator, by the rules of the enrichment service.
 * A value that is not defanged stays as it is.
 */
export function refang(value: string): string {
  return value
    .replace(/^(\W*)h(?:xx|tx|xt|tt|\*\*)p(s?)(?=[[(]?:)/i, '$1http$2')
    .replace(/^(\W*)fxp(s?)(?=[[(]?:)/i, '$1ftp$2')
    .replaceAll(/[[({<]\s?(?:\.|dot)\s?[\])}>]|\\\.|\[\.(?=[a-z0-9])/gi, '.')
    .replaceAll(/[[({]\s?(?:@|at)\s?[\])}]/gi, '@')
    .replaceAll(/[[(](:\/\/|:|\/)[\])]/g, '$1');
}

function dots(value: string): string {
  return value.replaceAll('.', '[.]');
}

/** Changes the scheme and the authority; dots of the path are harmless and stay readable. */
function defangUrl(value: string): string {
  const end = value.indexOf('://');
  const scheme = value.slice(0, end).replace(/t/gi, (letter) => (letter === 'T' ? 'X' : 'x'));
  const rest = value.slice(end + 3);
  const length = rest.search(/[/?#\\]/);
  const authority = length === -1 ? rest : rest.slice(0, length);
  return `${scheme}://${dots(authority).replaceAll('@', '[@]')}${length === -1 ? '' : rest.slice(length)}`;
}
