import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import { InvalidInput, isTriadError, NotFound } from '../../errors/errors.ts';
import type { FileContent } from '../../file-storage/file-storage.ts';
import type { Log } from '../../http/request-log.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import { submittedUriFile } from './uri-files.ts';

export type FileSource = Settings['analysis']['submission']['file_sources'][number];

export interface FileSourcesDependencies {
  readonly settings: Pick<Settings['analysis'], 'submission' | 'ui'>;
  readonly classification: ClassificationEngine;
  readonly client: Pick<OutboundClient, 'request'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Ways to ask for a file that every installation has. */
const USUAL_TYPES = ['sha256', 'sha1', 'md5', 'tlsh', 'ssdeep', 'url'] as const;

/** Stops reading an answer that says that there is no such file. */
class NoSuchFile extends Error {}

/** Servers that files are fetched from by a hash or another value (contract/analysis.md section 3.1). */
export class FileSources {
  readonly #dependencies: FileSourcesDependencies;
  /** Keys of submissions that ask for a file, in the order in which they are looked for. */
  readonly types: readonly string[];
  /** Types whose value is an address, which is also the name of the file. */
  readonly addressTypes: ReadonlySet<string>;

  constructor(dependencies: FileSourcesDependencies) {
    this.#dependencies = dependencies;
    const { file_sources: sources } = dependencies.settings.submission;
    this.types = [...new Set([...USUAL_TYPES, ...sources.flatMap((one) => one.hash_types)])];
    const addresses = sources.filter((one) => !one.download_from_url).flatMap((one) => one.hash_types);
    this.addressTypes = new Set(['url', ...addresses]);
  }

  /** Returns the file of an address. @throws InvalidInput `url_submissions_disabled`, `invalid_url` */
  uriFile(address: string): Buffer {
    if (this.#dependencies.settings.ui.allow_url_submissions) return submittedUriFile(address);
    throw new InvalidInput('url_submissions_disabled', 'URL submissions are disabled in this system', { response: {} });
  }

  /**
   * Fetches a file from the first of the named sources that has it, and passes its content to `receive`.
   * @param clearance classification of the caller, who knows of no other sources
   * @throws NotFound `file_missing`, and what `receive` throws
   */
  async fetch<T>(
    { type, value, names, clearance }: FetchRequest,
    receive: (content: FileContent, source: FileSource) => Promise<T>,
  ): Promise<{ readonly source: FileSource; readonly received: T }> {
    if (names.length === 0) throw unknownFile(type, 'and no external sources are available.');
    const { settings, classification } = this.#dependencies;
    const usable = settings.submission.file_sources.filter(
      (one) =>
        one.hash_types.includes(type) &&
        names.includes(one.name) &&
        classification.isAccessible(clearance, one.classification, true),
    );
    for (const source of usable) {
      const content = await this.#open(source, value);
      if (content === undefined) continue;
      try {
        return { source, received: await receive(content, source) };
      } catch (error) {
        if (!(error instanceof NoSuchFile)) throw error;
      }
    }
    throw unknownFile(type, 'or any of the selected sources');
  }

  async #open(source: FileSource, value: string): Promise<FileContent | undefined> {
    const { settings, client, log } = this.#dependencies;
    const filled = (text: string, encode: (value: string) => string) =>
      text.replaceAll(source.replace_pattern, () => encode(value));
    const url = filled(source.url, encodeURIComponent);
    if (!source.download_from_url) return this.uriFile(filled(source.url, (one) => one));
    const proxy = source.proxies[url.startsWith('https:') ? 'https' : 'http'];
    try {
      const answer = await client.request({
        url,
        method: source.method,
        headers: source.headers,
        timeout: settings.ui.url_submission_timeout * 1000,
        verify: source.verify,
        ...(source.data === null ? {} : { body: filled(source.data, encodeURIComponent) }),
        ...(proxy === undefined ? {} : { proxy }),
      });
      if (answer.status >= 200 && answer.status < 300) return checkedContent(answer.content, source.failure_pattern);
      answer.content.destroy();
      return undefined;
    } catch (error) {
      if (isTriadError(error) && error.kind === 'forbidden') throw error;
      log.warn({ err: error, source: source.name }, 'a source of files does not answer; the next one is asked');
      return undefined;
    }
  }
}

export interface FetchRequest {
  readonly type: string;
  readonly value: string;
  readonly names: readonly string[];
  readonly clearance: string;
}

/** Passes content on unless it is empty, or holds the text that means that there is no such file. */
async function* checkedContent(content: AsyncIterable<Uint8Array>, pattern: string | null): AsyncGenerator<Uint8Array> {
  const sought = pattern === null || pattern === '' ? undefined : Buffer.from(pattern);
  let end = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (sought !== undefined) {
      const joined = Buffer.concat([end, chunk]);
      if (joined.includes(sought)) throw new NoSuchFile();
      end = Buffer.from(joined.subarray(Math.max(0, joined.length - sought.length + 1)));
    }
    yield chunk;
  }
  if (size === 0) throw new NoSuchFile();
}

export function unknownFile(type: string, end: string): NotFound {
  return new NotFound('file_missing', `${type.toUpperCase()} does not exist in Assemblyline ${end}`, { response: {} });
}
