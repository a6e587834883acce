import { useQueryClient } from '@tanstack/react-query';
import { alerts } from '../../api/clients.ts';
import { accountQuery, useAccount, useSession } from '../../shell/session-context.tsx';
import type { StoredCard } from './dashboard.ts';

interface Dashboard {
  readonly cards: readonly StoredCard[];
  /** Stores what a function makes of the cards that the account has by then. @throws ApiProblem */
  readonly change: (plan: (cards: readonly StoredCard[]) => readonly StoredCard[]) => Promise<void>;
}

/** The cards of the account below those that everyone has. */
export function useDashboard(): Dashboard {
  const queries = useQueryClient();
  const { username } = useSession().session;
  const { data } = useAccount();
  return {
    cards: cardsOf(data?.dashboard),
    change: async (plan) => {
      // Another browser of the same person may have changed them.
      const { dashboard } = await queries.fetchQuery({ ...accountQuery, staleTime: 0 });
      const body = { dashboard: [...plan(cardsOf(dashboard))] };
      await alerts.PUT('/api/v1/user/{username}', { params: { path: { username } }, body });
      await queries.invalidateQueries({ queryKey: accountQuery.queryKey });
    },
  };
}

/** The description of the answer leaves the types of cards open. */
function cardsOf(dashboard: readonly { readonly type: string }[] | undefined): readonly StoredCard[] {
  return (dashboard ?? []) as readonly StoredCard[];
}
