import { Type } from 'typebox';
import { Forbidden } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { documentOf, flag, integer, listOf, presence, text } from '../../input/input-kinds.ts';
import { callerOf } from '../analysis-guard.ts';
import { ANYONE, Anything, ByName, EXAMPLE_IDS, operation, Success } from '../operations/analysis-operation.ts';
import type { SubmissionDeletion } from './submission-deletion.ts';
import type { SubmissionList } from './submission-list.ts';
import type { SubmissionService } from './submission-service.ts';

export interface SubmissionRouteDependencies {
  readonly submissions: SubmissionService;
  readonly lists: SubmissionList;
  readonly deletion: Pick<SubmissionDeletion, 'delete'>;
}

const VIEW: GuardedAccess = { ...ANYONE, roles: ['submission_view'], quota: true, audit: true };

const SID = ['Identifier of the submission.', EXAMPLE_IDS.submission] as const;
const SHA256 = ['SHA-256 of the file.', EXAMPLE_IDS.file] as const;
const BySid = pathParameters({ sid: SID });
const BySubmissionId = pathParameters({ submission_id: SID });
const ByFile = pathParameters({ sid: SID, sha256: SHA256 });

const TreeQuery = Type.Object({
  get_full_tree: flag({ description: 'Lists a file under each of its parents, instead of once.', empty: true }),
});

const PageQuery = Type.Object({
  offset: integer({ minimum: 0, default: 0 }),
  rows: integer({ minimum: 0, maximum: 10_000, default: 100 }),
  query: Type.Optional(text({ description: 'Lucene query of the submissions to list.' })),
  filters: listOf(text({ description: 'Lucene query that they match, too.' }), { default: [] }),
  track_total_hits: presence({ description: 'Present: counts all matches instead of the first 10,000.' }),
  use_archive: flag({ description: 'Lists those in the archive, too.', empty: true }),
  archive_only: flag({ description: 'Lists those in the archive alone.', empty: true }),
});

const keyList = (description: string) => listOf(Type.String(), { description, default: [], maxItems: 10_000 });
const ExtraKeysBody = documentOf(
  {
    extra_result_keys: Type.Optional(keyList('Keys of results that came in since.')),
    extra_error_keys: Type.Optional(keyList('Keys of errors that came in since.')),
  },
  { description: 'Keys that count while the submission is under way.', examples: [{ extra_result_keys: [] }] },
);

/** Serves `/api/v4/submission/`: submissions, their contents and verdicts (contract/analysis.md 4.9). */
export const submissionRoutes =
  ({ submissions, lists, deletion }: SubmissionRouteDependencies): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/submission/:sid/',
      {
        access: VIEW,
        schema: operation('submission_get_submission', 'Get a submission', { params: BySid, reply: Anything }),
      },
      async (request) => await submissions.get(callerOf(request), request.params.sid),
    );

    app.delete(
      '/api/v4/submission/:sid/',
      {
        access: { ...VIEW, roles: ['submission_delete'], readOnly: false },
        schema: operation('submission_delete_submission', 'Delete a submission and what only it refers to', {
          params: BySid,
          reply: Success,
        }),
      },
      async (request) => {
        await deletion.delete(callerOf(request), request.params.sid);
        return { success: true };
      },
    );

    const treeOf = {
      params: BySid,
      querystring: TreeQuery,
      reply: Anything,
    };
    app.get(
      '/api/v4/submission/tree/:sid/',
      {
        access: VIEW,
        schema: operation('submission_get_file_tree', 'Get the files of a submission as a tree', treeOf),
      },
      async (request) =>
        await submissions.tree(callerOf(request), request.params.sid, { everyParent: request.query.get_full_tree }),
    );

    app.get(
      '/api/v4/submission/full/:sid/',
      {
        access: VIEW,
        schema: operation('submission_get_full_results', 'Get a submission with files, results and errors', treeOf),
      },
      async (request) =>
        await submissions.full(callerOf(request), request.params.sid, { everyParent: request.query.get_full_tree }),
    );

    app.get(
      '/api/v4/submission/summary/:sid/',
      {
        access: VIEW,
        schema: operation('submission_get_summary', 'Get tags, techniques and heuristics of a submission', {
          params: BySid,
          reply: Anything,
        }),
      },
      async (request) => await submissions.summary(callerOf(request), request.params.sid),
    );

    app.get(
      '/api/v4/submission/report/:submission_id/',
      {
        access: { ...VIEW, xsrf: false },
        schema: operation('submission_get_report', 'Get the report of a completed submission', {
          ...treeOf,
          params: BySubmissionId,
          refusals: [425],
        }),
      },
      async (request) =>
        await submissions.report(callerOf(request), request.params.submission_id, {
          everyParent: request.query.get_full_tree,
        }),
    );

    app.get(
      '/api/v4/submission/is_completed/:sid/',
      {
        access: { ...VIEW, audit: false },
        schema: operation('submission_is_submission_completed', 'Ask whether a submission is completed', {
          params: BySid,
          reply: Type.Boolean(),
        }),
      },
      async (request) => await submissions.isCompleted(callerOf(request), request.params.sid),
    );

    app.get(
      '/api/v4/submission/:sid/file/:sha256/',
      {
        access: VIEW,
        schema: operation('submission_get_file_submission_results', 'Get what was found in a file of a submission', {
          params: ByFile,
          reply: Anything,
        }),
      },
      async (request) => await submissions.file(callerOf(request), request.params.sid, request.params.sha256),
    );

    app.post(
      '/api/v4/submission/:sid/file/:sha256/',
      {
        access: VIEW,
        body: 'lenient_json',
        schema: operation('submission_post_file_submission_results', 'Get it with results that came in since', {
          params: ByFile,
          body: Type.Optional(ExtraKeysBody),
          reply: Anything,
        }),
      },
      async (request) => {
        const { extra_result_keys: results = [], extra_error_keys: errors = [] } = request.body ?? {};
        const { sid, sha256 } = request.params;
        return await submissions.file(callerOf(request), sid, sha256, { results, errors });
      },
    );

    app.get(
      '/api/v4/submission/list/user/:username/',
      {
        access: VIEW,
        schema: operation('submission_list_submissions_for_user', 'List the submissions of a user', {
          params: ByName,
          querystring: PageQuery,
          reply: Anything,
        }),
      },
      async (request) => await lists.ofUser(request.actor, request.params.username, pageOf(request)),
    );

    app.get(
      '/api/v4/submission/list/group/:group/',
      {
        access: VIEW,
        schema: operation('submission_list_submissions_for_group', 'List the submissions for a group of users', {
          params: pathParameters({ group: ['Name of the group, or `ALL`.', 'USERS'] }),
          querystring: PageQuery,
          reply: Anything,
        }),
      },
      async (request) => await lists.ofGroup(request.actor, request.params.group, pageOf(request)),
    );

    app.put(
      '/api/v4/submission/verdict/:submission_id/:verdict/',
      {
        access: { ...VIEW, roles: ['submission_manage'], audit: false, xsrf: false },
        schema: operation('submission_set_verdict', 'Say whether a submission is malicious', {
          params: pathParameters({ submission_id: SID, verdict: ['`malicious` or `non_malicious`.', 'malicious'] }),
          reply: Success,
        }),
      },
      async (request) => {
        const { submission_id: sid, verdict } = request.params;
        await submissions.judge(callerOf(request), sid, verdict);
        return { success: true };
      },
    );
  };

interface PageRequest {
  readonly actor: { readonly roles: ReadonlySet<string> };
  readonly query: {
    readonly offset: number;
    readonly rows: number;
    readonly query?: string | undefined;
    readonly filters: readonly string[];
    readonly track_total_hits: boolean;
    readonly use_archive: boolean;
    readonly archive_only: boolean;
  };
}

function pageOf({ actor, query }: PageRequest) {
  if ((query.use_archive || query.archive_only) && !actor.roles.has('archive_view')) {
    throw new Forbidden('missing_role', 'User is not allowed to view the archive', { response: {} });
  }
  const { offset, rows } = query;
  const filters = query.query === undefined ? query.filters : [query.query, ...query.filters];
  const scope = query.archive_only ? 'archive' : query.use_archive ? 'both' : 'hot';
  return { offset, rows, filters, countsAll: query.track_total_hits, scope } as const;
}
