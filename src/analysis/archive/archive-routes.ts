import { Type } from 'typebox';
import { REACTIONS } from '../../documents/kinds/analysis/file.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { anyText, documentOf, flag, integer, listOf, reading, refusing } from '../../input/input-kinds.ts';
import { callerOf } from '../analysis-guard.ts';
import { ANYONE, Anything, EXAMPLE_IDS, operation, Success } from '../operations/analysis-operation.ts';
import type { ArchiveService } from './archive-service.ts';
import type { ArchivedFiles } from './archived-files.ts';

export interface ArchiveRouteDependencies {
  readonly archive: ArchiveService;
  readonly files: ArchivedFiles;
}

const COUNTED: GuardedAccess = { ...ANYONE, quota: true, audit: true };
const COMMENTS: GuardedAccess = { ...COUNTED, roles: ['archive_comment'], readOnly: false };
const LABELS: GuardedAccess = { ...COUNTED, roles: ['archive_manage'], readOnly: false };
const FAILURE = { success: false };
const MAX_LABELS = 10_000;

const SHA256: readonly [string, string] = ['SHA-256 of a file in the archive.', EXAMPLE_IDS.file];
const CID: readonly [string, string] = ['Identifier of the comment.', 'c0ffee'];
const ByFile = pathParameters({ sha256: SHA256 });
const ByComment = pathParameters({ sha256: SHA256, cid: CID });
const ArchiveQuery = Type.Object({
  delete_after: flag({ description: 'Deletes the submission outside of the archive afterwards.', empty: true }),
  skip_hook: flag({ description: 'Accepted without effect: no other system is asked before.', empty: true }),
  use_alternate_dtl: flag({
    description: 'Deletes it from the archive after `core.archiver.alternate_dtl` days.',
    empty: true,
  }),
});
/** No body is no metadata. */
const MetadataBody = reading(
  documentOf({}, { description: 'Metadata to add.', examples: [{ rationale: 'Interesting' }] }),
  {
    accept: (value) => value ?? {},
  },
);
const invalidText = () => new InvalidInput('invalid_comment', 'Invalid text property', { at: 'text' });
const TextBody = documentOf(
  { text: refusing(Type.String({ description: 'Text of the comment.' }), invalidText) },
  { examples: [{ text: 'Seen in the last campaign, too.' }] },
);
const invalidLabels = () => new InvalidInput('invalid_labels', 'Invalid list of labels received.');
const LabelList = Type.Optional(refusing(Type.Array(Type.String()), invalidLabels));
const LabelBody = documentOf(
  { attribution: LabelList, technique: LabelList, info: LabelList },
  { examples: [{ attribution: ['QAKBOT'], technique: ['downloader'], info: ['ioc'] }] },
);
const LabelReply = Type.Object({ labels: Type.Array(Type.String()), label_categories: Anything });
const LabelSearch = Type.Object(
  {
    include: Type.Optional(anyText({ description: 'Part of the label.' })),
    query: Type.Optional(anyText({ description: 'Lucene query that the files match.' })),
    filters: listOf(anyText({ keepEmpty: true }), { description: 'Further Lucene queries.', default: [] }),
    mincount: integer({ minimum: 0, maximum: MAX_LABELS, default: 1, description: 'Fewest files of a listed label.' }),
    size: integer({ minimum: 1, maximum: 100, default: 10, description: 'Labels of a category.' }),
    count: integer({ minimum: 0, maximum: MAX_LABELS, default: 10, description: 'Labels of the answer.' }),
  },
  { examples: [{ include: 'QAK', query: 'type:document*' }] },
);

/** Serves `/api/v4/archive/` of installations with an archive (contract/analysis.md section 10.2). */
export const archiveRoutes =
  ({ archive, files }: ArchiveRouteDependencies): RouteModule =>
  (app) => {
    app.put(
      '/api/v4/archive/:sid/',
      {
        access: { ...COUNTED, roles: ['archive_trigger'] },
        body: 'lenient_json',
        schema: operation('archive_archive_submission', 'Copy a submission into the archive', {
          params: pathParameters({ sid: ['Identifier of the submission.', EXAMPLE_IDS.submission] }),
          querystring: ArchiveQuery,
          body: MetadataBody,
          reply: Anything,
        }),
        refusal: FAILURE,
      },
      async (request) => {
        const { delete_after: deleteAfter, use_alternate_dtl: alternateLife } = request.query;
        const order = { deleteAfter, alternateLife, metadata: request.body };
        return await archive.archive(callerOf(request), request.params.sid, order);
      },
    );

    app.get(
      '/api/v4/archive/comment/:sha256/',
      {
        access: { ...COMMENTS, roles: ['archive_view'] },
        schema: operation('archive_get_comments', 'List the comments on a file, with their authors', {
          params: ByFile,
          reply: Anything,
        }),
        refusal: FAILURE,
      },
      async (request) => await files.comments(callerOf(request), request.params.sha256),
    );
    app.put(
      '/api/v4/archive/comment/:sha256/',
      {
        access: COMMENTS,
        schema: operation('archive_add_comment', 'Comment on a file', {
          params: ByFile,
          body: TextBody,
          reply: Anything,
        }),
        refusal: FAILURE,
      },
      async (request) => await files.addComment(callerOf(request), request.params.sha256, request.body.text),
    );
    app.post(
      '/api/v4/archive/comment/:sha256/:cid/',
      {
        access: COMMENTS,
        schema: operation('archive_update_comment', 'Change the text of an own comment', {
          params: ByComment,
          body: TextBody,
          reply: Success,
        }),
        refusal: FAILURE,
      },
      async (request) => {
        const { sha256, cid } = request.params;
        await files.editComment(callerOf(request), sha256, cid, request.body.text);
        return { success: true };
      },
    );
    app.delete(
      '/api/v4/archive/comment/:sha256/:cid/',
      {
        access: { ...COMMENTS, readOnly: true },
        body: 'ignored',
        schema: operation('archive_delete_comment', 'Remove an own comment', { params: ByComment, reply: Success }),
        refusal: FAILURE,
      },
      async (request) => {
        const { sha256, cid } = request.params;
        await files.deleteComment(callerOf(request), sha256, cid);
        return { success: true };
      },
    );
    app.put(
      '/api/v4/archive/reaction/:sha256/:cid/:icon/',
      {
        access: COMMENTS,
        body: 'ignored',
        schema: operation('archive_toggle_reaction', 'React to a comment, or take the reaction back', {
          params: pathParameters({ sha256: SHA256, cid: CID, icon: [`One of ${REACTIONS.join(', ')}.`, 'love'] }),
          reply: Type.Array(Anything),
        }),
        refusal: FAILURE,
      },
      async (request) => {
        const { sha256, cid, icon: given } = request.params;
        const icon = REACTIONS.find((one) => one === given);
        if (icon === undefined) {
          throw new InvalidInput('unknown_reaction', `Invalid reaction: allowed are ${REACTIONS.join(', ')}.`);
        }
        return await files.toggleReaction(callerOf(request), sha256, cid, icon);
      },
    );

    app.get(
      '/api/v4/archive/label/',
      {
        access: LABELS,
        schema: operation('archive_get_label_suggestions', 'List known labels', {
          querystring: LabelSearch,
          reply: Type.Array(Anything),
          refusals: [404],
        }),
        refusal: FAILURE,
      },
      async (request) => await files.knownLabels(callerOf(request), { ...request.query, ...searched(request.query) }),
    );
    app.post(
      '/api/v4/archive/label/',
      {
        access: LABELS,
        schema: operation('archive_post_label_suggestions', 'List known labels', {
          body: LabelSearch,
          reply: Type.Array(Anything),
        }),
        refusal: FAILURE,
      },
      async (request) => await files.knownLabels(callerOf(request), { ...request.body, ...searched(request.body) }),
    );
    for (const [method, how, name, summary] of [
      ['post', 'replace', 'archive_set_labels', 'Replace the labels of a file'],
      ['put', 'add', 'archive_add_labels', 'Add labels to a file'],
      ['delete', 'remove', 'archive_remove_labels', 'Remove labels from a file'],
    ] as const) {
      app[method](
        '/api/v4/archive/label/:sha256/',
        {
          access: LABELS,
          schema: operation(name, summary, { params: ByFile, body: LabelBody, reply: LabelReply }),
          refusal: FAILURE,
        },
        async (request) => {
          const { attribution, technique, info } = request.body;
          const given = {
            ...(attribution === undefined ? {} : { attribution }),
            ...(technique === undefined ? {} : { technique }),
            ...(info === undefined ? {} : { info }),
          };
          return await files.changeLabels(callerOf(request), request.params.sha256, given, how);
        },
      );
    }
  };

/** Empty arguments count as absent. */
function searched({ include, query }: { readonly include?: string | undefined; readonly query?: string | undefined }) {
  return { include: include || undefined, query: query || undefined };
}
