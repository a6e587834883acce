import { memberOf, stringMember } from '../../../../json/members.ts';

/** The finding of a fetcher of the enrichment service, as it is drawn. */
export type FetchedData =
  | { readonly kind: 'markdown'; readonly text: string }
  | { readonly kind: 'picture'; readonly address: string; readonly words: string }
  /** A picture on another host, which a reader opens by a press alone. */
  | { readonly kind: 'link'; readonly address: string; readonly words: string }
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'json'; readonly value: unknown };

/** Pictures that need no other host and hold no scripts. */
const OWN_PICTURE = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,/i;

/**
 * Reads the data of a result by its format (contract of the enrichment service, section 3.2). What a
 * format does not describe is shown as JSON.
 */
export function fetchedData(format: string, data: unknown, language: string): FetchedData {
  if (format === 'markdown' && typeof data === 'string') return { kind: 'markdown', text: data };
  if (format === 'image') {
    const [address, words] = [stringMember(data, 'image'), stringMember(data, 'alt')];
    if (address !== '') return { kind: OWN_PICTURE.test(address) ? 'picture' : 'link', address, words };
  }
  if (format === 'status') {
    if (memberOf(data, 'empty') === true) return { kind: 'nothing' };
    const labels = memberOf(data, 'labels');
    if (Array.isArray(labels)) {
      const own = labels.find((one) => stringMember(one, 'language') === language) ?? labels[0];
      return { kind: 'words', text: stringMember(own, 'label') };
    }
  }
  return typeof data === 'string' ? { kind: 'words', text: data } : { kind: 'json', value: data };
}

/** Splits `source.fetcher`; the name of a fetcher has no dot. */
export function fetcherName(id: string): { readonly source: string; readonly fetcher: string } {
  const dot = id.lastIndexOf('.');
  return { source: id.slice(0, Math.max(0, dot)), fetcher: id.slice(dot + 1) };
}
