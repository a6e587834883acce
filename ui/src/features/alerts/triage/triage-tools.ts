import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { live } from '../../../api/live.ts';
import { useKeys } from '../../../keys/commands.tsx';
import { useAccount, useConfiguration, useSession } from '../../../shell/session-context.tsx';
import type { BulkDependencies } from './bulk/bulk-dependencies.ts';
import type { Capabilities } from './bulk/bulk-plan.ts';
import { alertApi } from './requests/alert-api.ts';
import { type AlertCopies, alertCopies } from './requests/alert-copies.ts';
import { AlertWriter } from './requests/alert-writer.ts';

export interface TriageTools extends BulkDependencies {
  readonly copies: AlertCopies;
  /** Address under which the person votes. */
  readonly email: string;
  /** The keys of undo after the preferences of the person; undefined without any. */
  readonly undoKeys: string | undefined;
}

/** Returns what writes the changes of this window. */
export function useTriageTools(): TriageTools {
  const queries = useQueryClient();
  const { session } = useSession();
  const offered = useConfiguration().data?.lookups.transitions;
  const account = useAccount().data;
  const { username } = session;
  const roles = account?.roles;
  const email = account?.email ?? username;
  const undoKeys = useKeys('undo');
  return useMemo(() => {
    const copies = alertCopies(queries);
    const capabilities: Capabilities = { me: username, offered: offered ?? {}, roles: roles ?? [] };
    const writer = new AlertWriter({ api: alertApi, copies, me: username, offered: offered ?? {} });
    return { api: alertApi, copies, writer, capabilities, email, undoKeys, onProgress };
  }, [queries, username, offered, roles, email, undoKeys]);
}

/** Listens to the progress frames of one run of an action. */
export function onProgress(requestId: string, listener: (processed: number) => void): () => void {
  return live.on('action', ({ request_id, processed }) => {
    if (request_id === requestId && typeof processed === 'number') listener(processed);
  });
}
