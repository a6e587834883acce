import { Type } from 'typebox';
import { fileDocument } from '../../documents/kinds/analysis/file.ts';
import { wholeOutput } from '../../documents/schema/whole-output.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { converted, flag, integer, text } from '../../input/input-kinds.ts';
import { Anything, EXAMPLE_IDS, operation, Success } from '../operations/analysis-operation.ts';
import type { FileDownload } from './file-download.ts';
import type { FileReader } from './file-reader.ts';
import type { SimilarFiles } from './similar-files.ts';

export interface FileRouteDependencies {
  readonly reader: FileReader;
  readonly download: FileDownload;
  readonly similar: SimilarFiles;
  /** Removes the bytes of a file; its document stays. */
  readonly purge: (sha256: string) => Promise<void>;
}

const access = (...roles: Exclude<GuardedAccess['roles'], 'any'>[number][]): GuardedAccess => ({
  privileges: 'by_roles',
  roles,
  audit: true,
});
const DETAIL = access('file_detail');
const BySha256 = pathParameters({ sha256: ['SHA-256 of the file.', EXAMPLE_IDS.file] });
const ByPicture = pathParameters({ sha256: ['SHA-256 of the picture.', EXAMPLE_IDS.picture] });
const View = Type.Object({
  content: Type.String(),
  truncated: Type.Boolean({ description: 'There is more than the first MiB that is shown.' }),
});
const HexQuery = Type.Object({
  bytes_only: flag({ description: 'Bytes without offsets and text.', empty: true }),
  length: integer({ description: 'Bytes of a line.', minimum: 1, maximum: 1024, default: 16 }),
});
/** Clients rely on an empty answer for a length that is not a number. */
const StringLength = converted(
  text({ description: 'Characters of a string, at least.', default: '6' }),
  (given): number | undefined => (/^\d{1,7}$/.test(given) ? Math.max(1, Number(given)) : undefined),
);
const DownloadQuery = Type.Object({
  encoding: Type.Optional(Type.String({ description: '`cart`, `raw` or `zip`. Default: as the caller has chosen.' })),
  name: Type.Optional(text({ description: 'Name of the download. Default: the SHA-256.' })),
  password: Type.Optional(
    Type.String({ description: 'Password of the zip archive. Default: as the caller has chosen.' }),
  ),
  sid: Type.Optional(text({ description: 'Submission whose metadata goes into the header of the CaRT.' })),
});
const SimilarReply = Type.Array(
  Type.Object({
    type: Type.String({ description: '`tlsh`, `ssdeep` or `vector`.' }),
    value: Type.String({ description: 'The value that the files share.' }),
    total: Type.Integer(),
    items: Type.Array(Anything),
  }),
);

/** Serves files: what they are, what is in them, and their bytes (contract/analysis.md section 6). */
export const fileRoutes =
  ({ reader, download, similar, purge }: FileRouteDependencies): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/file/info/:sha256/',
      {
        access: access('submission_view', 'file_detail'),
        schema: operation('file_get_file_information', 'Get the document of a file', {
          params: BySha256,
          reply: Anything,
        }),
      },
      async ({ actor, params: { sha256 } }) =>
        wholeOutput(fileDocument, await reader.record(actor, sha256, { missing: 'This file does not exists.' })),
    );

    app.get(
      '/api/v4/file/ascii/:sha256/',
      {
        access: DETAIL,
        schema: operation('file_get_file_ascii', 'Show a file as ASCII', { params: BySha256, reply: View }),
      },
      ({ actor, params: { sha256 } }) => reader.ascii(actor, sha256),
    );

    app.get(
      '/api/v4/file/hex/:sha256/',
      {
        access: DETAIL,
        schema: operation('file_get_file_hex', 'Show a file in hexadecimal digits', {
          params: BySha256,
          querystring: HexQuery,
          reply: View,
        }),
      },
      ({ actor, params: { sha256 }, query }) => reader.hex(actor, sha256, query.length, query.bytes_only),
    );

    app.get(
      '/api/v4/file/strings/:sha256/',
      {
        access: DETAIL,
        schema: operation('file_get_file_strings', 'Show the strings in a file', {
          params: BySha256,
          querystring: Type.Object({ len: StringLength }),
          reply: View,
        }),
      },
      ({ actor, params: { sha256 }, query }) => reader.strings(actor, sha256, query.len),
    );

    app.get(
      '/api/v4/file/image/:sha256/',
      {
        access: access('submission_view'),
        schema: operation('file_get_file_image_datastream', 'Get a picture of a section as a data URI', {
          params: ByPicture,
          reply: Type.String(),
        }),
      },
      ({ actor, params: { sha256 } }) => reader.image(actor, sha256),
    );

    app.get(
      '/api/v4/file/download/:sha256/',
      {
        access: { ...access('file_download'), xsrf: false },
        schema: operation('file_download_file', 'Download a file', {
          description: 'The bytes, packed as a CaRT unless another encoding is asked for or chosen.',
          params: BySha256,
          querystring: DownloadQuery,
        }),
      },
      async ({ actor, params: { sha256 }, query }, reply) => {
        const { name, content, length } = await download.open(actor, sha256, query);
        reply.type('application/octet-stream');
        reply.header('content-disposition', `attachment; filename=file.bin; filename*=UTF-8''${percentEncoded(name)}`);
        if (length !== undefined) reply.header('content-length', length);
        return reply.send(content);
      },
    );

    app.delete(
      '/api/v4/file/filestore/:sha256/',
      {
        access: access('file_purge'),
        schema: operation('file_delete_file_from_filestore', 'Remove the bytes of a file and keep its document', {
          params: BySha256,
          reply: Success,
        }),
      },
      async ({ actor, params: { sha256 } }) => {
        const denied = 'You are not allowed to delete this file from the filestore.';
        await reader.record(actor, sha256, { denied });
        await purge(sha256);
      },
    );

    for (const method of ['get', 'post'] as const) {
      app[method](
        '/api/v4/file/similar/:sha256/',
        {
          access: access('submission_view'),
          body: 'ignored',
          schema: operation(
            method === 'get' ? 'file_find_similar_files' : 'file_post_similar_files',
            'Find files that are like another one',
            { params: BySha256, reply: SimilarReply },
          ),
        },
        ({ actor, params: { sha256 } }) => similar.find(actor, sha256),
      );
    }

    for (const [path, name, summary] of [
      ['ai', 'summarized_results', 'Summarise the results of a file'],
      ['code_summary', 'summarize_code_snippet', 'Summarise the code in a file'],
    ] as const) {
      app.get(
        `/api/v4/file/${path}/:sha256/`,
        {
          access: DETAIL,
          schema: operation(`file_${name}`, summary, {
            description: 'Answers 400: no AI backend can be configured.',
            params: BySha256,
            reply: Anything,
            refusals: [400],
          }),
        },
        () => {
          throw new InvalidInput('ai_disabled', 'AI Support is disabled on this system.', { response: {} });
        },
      );
    }
  };

/** Escapes a name as RFC 8187 wants it. */
function percentEncoded(name: string): string {
  return encodeURIComponent(name).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
