import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import type { Collection } from '../../datastore/port/collection.ts';
import type { ReadAccess } from '../../datastore/port/read-access.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import type { Service } from '../../documents/kinds/analysis/service.ts';
import { type Signature, signatureDocument } from '../../documents/kinds/analysis/signature.ts';
import { InvalidInput, isTriadError, TooLarge } from '../../errors/errors.ts';

export interface SignatureArchiveDependencies {
  readonly signatures: Pick<Collection<Signature>, 'stream'>;
  readonly services: { all(): Promise<readonly Service[]> };
}

/** Characters of all signatures of one archive. */
const MAX_LENGTH = 100_000_000;
const DELIMITERS: Readonly<Record<string, string>> = {
  new_line: '\n',
  double_new_line: '\n\n',
  pipe: '|',
  comma: ',',
  space: ' ',
  none: '',
  file: '',
};
const USUAL = DELIMITERS.double_new_line ?? '';
/** Escapes of a custom delimiter, as in Python. */
const ESCAPES: Readonly<Record<string, string>> = { '\\n': '\n', '\\r': '\r', '\\t': '\t', '\\\\': '\\' };

/** Packs signatures into archives, one member for each source. */
export class SignatureArchive {
  readonly #dependencies: SignatureArchiveDependencies;

  constructor(dependencies: SignatureArchiveDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns a zip archive with the members `<type>/<source>`; nothing when no signature matches.
   * Services that keep a file for each signature have members `<type>/<source>/<identifier>`.
   * @throws InvalidInput `invalid_query`; TooLarge `download_too_large`
   */
  async pack(query: string, access: ReadAccess): Promise<Uint8Array> {
    const members = await this.#members(query, access);
    if (members.size === 0) return new Uint8Array();
    const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
    for (const [name, { texts, delimiter }] of members) await writer.add(name, new TextReader(texts.join(delimiter)));
    return writer.close();
  }

  async #members(query: string, access: ReadAccess) {
    const kinds = await this.#delimiters();
    const found: Signature[] = [];
    let length = 0;
    for await (const { document } of this.#dependencies.signatures.stream({ query: compile(query) }, access)) {
      length += document.data.length;
      if (length > MAX_LENGTH) {
        const message = `The signatures have more than ${MAX_LENGTH} characters. Narrow the query, for example by source.`;
        throw new TooLarge('download_too_large', message);
      }
      found.push(document);
    }
    const members = new Map<string, { readonly texts: string[]; readonly delimiter: string }>();
    for (const { type, source, signature_id: id, data } of found.sort((left, right) => left.order - right.order)) {
      const kind = kinds.get(type.toLowerCase()) ?? { delimiter: USUAL, isFile: false };
      const name = [type, source, ...(kind.isFile ? [id ?? ''] : [])].map(safeName).join('/');
      const member = members.get(name) ?? { texts: [], delimiter: kind.delimiter };
      member.texts.push(data);
      members.set(name, member);
    }
    return members;
  }

  async #delimiters(): Promise<ReadonlyMap<string, { readonly delimiter: string; readonly isFile: boolean }>> {
    const services = await this.#dependencies.services.all();
    return new Map(
      services.flatMap(({ name, update_config: config }) => {
        if (config?.generates_signatures !== true) return [];
        const { signature_delimiter: kind, custom_delimiter: custom = '' } = config;
        const own = custom.replaceAll(/\\[nrt\\]/g, (sequence) => ESCAPES[sequence] ?? sequence);
        const delimiter = kind === 'custom' ? own : (DELIMITERS[kind] ?? USUAL);
        return [[name.toLowerCase(), { delimiter, isFile: kind === 'file' }] as const];
      }),
    );
  }
}

/** A member of an archive leads out of no folder. */
function safeName(part: string): string {
  return part.replaceAll(/[/\\\0]/g, '_').replace(/^\.+$/, '_');
}

function compile(query: string) {
  try {
    return compileQuery(query, signatureDocument);
  } catch (error) {
    if (!isTriadError(error) || error.kind !== 'invalid_input') throw error;
    throw new InvalidInput(error.code, `SearchException: ${error.message}`, {
      at: error.at,
      cause: error,
      response: '',
    });
  }
}
