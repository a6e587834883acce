import type { connection as english } from '../en/connection.ts';
import type { TranslationOf } from '../messages.ts';

export const connection: TranslationOf<typeof english> = {
  offline: 'Le serveur ne répond pas. Votre saisie est conservée.',
  waiting: 'Le serveur est occupé.',
  waitingFor: 'Le serveur est occupé. {{reason}}',
  nextTry: 'Prochain essai dans {{seconds}} s.',
  tryNow: 'Réessayer maintenant',
  noAnswer: 'Le serveur ne répond pas.',
  liveLost:
    'Les mises à jour en direct sont interrompues. Les modifications des autres apparaîtront au retour de la connexion.',
  partMissing:
    'Une partie de cette page n’a pas été chargée. Si un nouvel essai échoue, rechargez la page : le programme a peut-être été mis à jour.',
  reload: 'Recharger la page',
  notStarted: 'Triad n’a pas pu démarrer.',
};
