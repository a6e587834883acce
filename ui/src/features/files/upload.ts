import { ApiProblem, problemOf } from '../../api/problem.ts';
import { type UploadProgress, upload } from '../../api/upload.ts';
import { translate } from '../../i18n/translation.ts';
import { memberOf, stringMember } from '../../json/members.ts';

/** Submits a file and returns the identifier of the submission. @throws ApiProblem */
export async function submitFile(file: File, progress: UploadProgress, signal: AbortSignal): Promise<string> {
  const form = new FormData();
  form.append('json', JSON.stringify({ name: file.name }));
  form.append('bin', file, file.name);
  const answer = await upload('/services/analysis/api/v4/submit/', form, progress, signal).catch((error: unknown) => {
    // A file that was moved or changed meanwhile looks the same to a page.
    const isUnsent = error instanceof ApiProblem && error.status === 0;
    throw isUnsent ? error.inOtherWords(translate('files.notSent')) : error;
  });
  const body: unknown = await answer.json().catch(() => undefined);
  const sid = stringMember(memberOf(body, 'api_response'), 'sid');
  if (sid === '') throw problemOf(answer, body);
  return sid;
}
