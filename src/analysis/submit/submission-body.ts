import { buffer } from 'node:stream/consumers';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { type InvalidInput, TooLarge } from '../../errors/errors.ts';
import type { MultipartPart } from '../../http/input/multipart-parts.ts';
import type { AnalysisFiles } from '../files/analysis-files.ts';
import type { ReceivedFile } from '../files/received-file.ts';
import { decodeBase64 } from './base64-text.ts';
import type { FileSources } from './file-sources.ts';
import type { HeldFiles } from './held-files.ts';
import { fileTooLarge, limitedContent } from './limited-content.ts';
import type { SubmissionDraft } from './submission-draft.ts';
import { invalidSubmission } from './submission-request.ts';
import type { FileInput } from './submitted-file.ts';

/** The body of a request before it is read. */
export interface UnreadBody {
  /** By the media type of the request. */
  readonly kind: 'form' | 'json' | 'other';
  /** Yields the parts of a form. @param fieldSize bytes of one that is not a file, at most */
  readonly parts: (fieldSize: number) => AsyncIterable<MultipartPart>;
  readonly content: AsyncIterable<Uint8Array>;
  readonly parseJson: (bytes: Buffer) => unknown;
}

export interface BodyDependencies {
  readonly files: Pick<AnalysisFiles, 'receive'>;
  readonly sources: FileSources;
  readonly limits: {
    /** Bytes of JSON, beside a file or with one in it. */
    readonly max_body_size: number;
    /** Bytes of a file, unless the submission ignores it. */
    readonly max_file_size: number;
  };
}

export interface BodyContext {
  readonly held: HeldFiles;
  readonly draft: (json: unknown) => Promise<SubmissionDraft>;
}

/** Options for uploads: identification runs while they are stored. */
const RECEPTION = { isDescribedNext: true } as const;

/** A submission with its file, as a request brings them. */
export interface SubmissionInput {
  readonly draft: SubmissionDraft;
  readonly file: FileInput;
}

/** Reads the bodies of submissions: forms with a file, and JSON with its text, its hash or its address. */
export class SubmissionBodies {
  readonly #dependencies: BodyDependencies;

  constructor(dependencies: BodyDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Reads a body. Files that it stores are noted in `held`.
   * @throws InvalidInput `invalid_submission`, `invalid_json`, `invalid_multipart`; TooLarge `file_too_large`,
   * `body_too_large`; and as `draft`
   */
  async read(body: UnreadBody, context: BodyContext): Promise<SubmissionInput> {
    if (body.kind === 'form') return this.#readForm(body, context);
    if (body.kind === 'json') return this.#readJson(body, context);
    throw invalidSubmission('Invalid content type');
  }

  async #readForm({ parts, parseJson }: UnreadBody, { held, draft: draftOf }: BodyContext): Promise<SubmissionInput> {
    const { limits } = this.#dependencies;
    let draft: SubmissionDraft | undefined;
    let upload: { readonly file: ReceivedFile; readonly name: string } | undefined;
    for await (const part of parts(limits.max_body_size)) {
      if (part.name === 'json') {
        if (draft !== undefined) throw invalidSubmission('The part "json" occurs twice.', 'json');
        draft = await draftOf(parseJson(await this.#textOf(part)));
      } else if (part.name === 'bin') {
        if (upload !== undefined) throw invalidSubmission('The part "bin" occurs twice: submit one file.', 'bin');
        upload = await this.#receive(part, draft, held);
      }
    }
    if (upload === undefined) throw invalidSubmission('The form has no file: send it as the part "bin".', 'bin');
    // Browsers send such a part for a form without a chosen file.
    if (upload.name === '') throw missingFile();
    return { draft: draft ?? (await draftOf({})), file: { kind: 'received', ...upload } };
  }

  /** Receives an upload. Before the JSON, which may lift it, the usual limit counts. */
  async #receive(part: MultipartPart, draft: SubmissionDraft | undefined, held: HeldFiles) {
    if (part.kind !== 'file') throw invalidSubmission('The part "bin" must be a file, with a file name.', 'bin');
    const { files, limits } = this.#dependencies;
    const limit = draft?.params.ignore_size === true ? undefined : limits.max_file_size;
    const file = held.hold(await files.receive(limitedContent(part.content, limit), RECEPTION));
    return { file, name: part.filename };
  }

  async #textOf(part: MultipartPart): Promise<Buffer> {
    if (part.kind === 'field') return Buffer.from(part.value);
    return buffer(upTo(part.content, this.#dependencies.limits.max_body_size));
  }

  async #readJson({ content, parseJson }: UnreadBody, { draft: draftOf }: BodyContext): Promise<SubmissionInput> {
    const { sources, limits } = this.#dependencies;
    // JSON is read as a whole, and a large one would keep all other callers waiting: large files come as forms.
    const json = parseJson(await buffer(upTo(content, limits.max_body_size)));
    if (!isObject(json)) throw invalidSubmission('The submission must be a JSON object.');
    const { plaintext, base64, ...others } = json;
    const bytes = contentOf(plaintext, base64);
    if (bytes !== undefined && bytes.length > limits.max_file_size) {
      throw fileTooLarge(bytes.length, limits.max_file_size);
    }
    const draft = await draftOf(others);
    if (bytes !== undefined) return { draft, file: { kind: 'bytes', bytes } };
    const type = sources.types.find((one) => Object.hasOwn(others, one) && isGiven(others[one]));
    const value = type === undefined ? undefined : others[type];
    if (type === undefined) throw missingFile();
    if (typeof value !== 'string') throw invalidSubmission(`"${type}" must be a string.`, type);
    return { draft, file: { kind: 'fetched', type, value } };
  }
}

/** Returns the file that a body of JSON holds, if any. @throws InvalidInput `invalid_submission` */
function contentOf(plaintext: unknown, base64: unknown): Buffer | undefined {
  if (plaintext !== undefined && typeof plaintext !== 'string') throw mustBeText('plaintext');
  if (plaintext !== undefined && plaintext !== '') {
    if (!plaintext.isWellFormed()) {
      throw invalidSubmission('"plaintext" holds half of a surrogate pair, which is not a character.', 'plaintext');
    }
    return Buffer.from(plaintext);
  }
  if (base64 === undefined) return undefined;
  if (typeof base64 !== 'string') throw mustBeText('base64');
  const bytes = decodeBase64(base64);
  if (bytes === undefined) throw invalidSubmission('"base64" is not Base64: it has incorrect padding.', 'base64');
  return bytes.length === 0 ? undefined : bytes;
}

function mustBeText(at: string): InvalidInput {
  return invalidSubmission(`"${at}" must be a string.`, at);
}

function missingFile(): InvalidInput {
  return invalidSubmission('Missing file to scan. No binary or fetching method provided.');
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && value !== false && value !== 0;
}

/** Passes content on up to a limit. @throws TooLarge `body_too_large` */
async function* upTo(content: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > limit) {
      const message = `The request body is larger than ${limit} bytes. Send the file as the part "bin" of a form.`;
      throw new TooLarge('body_too_large', message, { response: {} });
    }
    yield chunk;
  }
}
