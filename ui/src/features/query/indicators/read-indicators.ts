import { parseAddress, parseNetwork } from '../../../../../src/datastore/query-language/ip-address.ts';
import { indicatorKind, refang } from '../../../design/data/text/defang.ts';

export const INDICATOR_KINDS = ['ip', 'domain', 'url', 'mail', 'md5', 'sha1', 'sha256'] as const;
export type IndicatorKind = (typeof INDICATOR_KINDS)[number];

export interface Indicator {
  readonly kind: IndicatorKind;
  /** The plain form: not defanged, domains and hashes in lower case. */
  readonly value: string;
}

const SEPARATORS = /[\s,;|"'`<>]+/;
const EDGES = /^[([{]+(?![\p{L}\p{N}:]*[\])}][.:])|[\])}.,:!]+$/gu;
const HASHES: Readonly<Record<number, 'md5' | 'sha1' | 'sha256'>> = { 32: 'md5', 40: 'sha1', 64: 'sha256' };
const MAX_TOKEN_LENGTH = 4_096;
/** Names of files that have the form of domains. */
const FILE_NAME =
  /\.(?:exe|dll|sys|bat|cmd|ps1|vbs|js|jar|msi|lnk|iso|txt|csv|log|json|xml|html?|pdf|docx?|xlsx?|pptx?|rtf|zip|rar|7z|gz|tar|png|jpe?g|gif|svg|py|sh|ts|md|ya?ml|conf|ini)$/i;

/**
 * Reads a pasted list of indicators, each once. Returns undefined when anything else is among them, so
 * that prose, log lines and queries stay what they are.
 * @param isFieldName tells names of fields from domains, `howler.status`
 */
export function readIndicators(
  pasted: string,
  isFieldName: (name: string) => boolean = () => false,
): readonly Indicator[] | undefined {
  const found = new Map<string, Indicator>();
  for (const token of tokens(pasted)) {
    const indicator = token.length > MAX_TOKEN_LENGTH || isFieldName(token) ? undefined : indicatorOf(token);
    if (indicator === undefined) return undefined;
    found.set(`${indicator.kind} ${indicator.value}`, indicator);
  }
  return found.size === 0 ? undefined : [...found.values()];
}

/** Splits without a copy of the whole, so that the first word of a long text is enough to tell. */
function* tokens(pasted: string): Generator<string, void> {
  const separator = new RegExp(SEPARATORS, 'g');
  let from = 0;
  for (let match = separator.exec(pasted); match !== null; match = separator.exec(pasted)) {
    if (match.index > from) yield pasted.slice(from, match.index);
    from = match.index + match[0].length;
  }
  if (from < pasted.length) yield pasted.slice(from);
}

function indicatorOf(token: string): Indicator | undefined {
  const plain = refang(token).replaceAll(EDGES, '');
  const hash = /^[0-9a-f]+$/i.test(plain) ? HASHES[plain.length] : undefined;
  if (hash !== undefined) return { kind: hash, value: plain.toLowerCase() };
  const address = addressOf(plain);
  if (address !== undefined) return { kind: 'ip', value: address };
  const kind = indicatorKind(plain);
  if (kind === 'url' || kind === 'mail') return { kind, value: plain };
  if (kind !== 'domain') return undefined;
  const isFile = plain === token && FILE_NAME.test(plain);
  return isFile ? undefined : { kind: 'domain', value: plain.toLowerCase() };
}

/** Returns an address or network, without the port that may stand behind it. */
function addressOf(text: string): string | undefined {
  const bare = /^\[(.+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, '$1');
  const isAddress = bare.includes('/') ? parseNetwork(bare) !== undefined : parseAddress(bare) !== undefined;
  return isAddress ? bare : undefined;
}
