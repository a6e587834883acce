import type { home as english } from '../en/home.ts';
import type { TranslationOf } from '../messages.ts';

export const home: TranslationOf<typeof english> = {
  worst: 'Les plus graves, ouvertes',
  mine: 'Mon travail',
  waiting: 'Les plus anciennes en attente',
  byStatus: 'Par état',
  byAssignee: 'Ouvertes, par responsable',
  byAnalytic: 'Ouvertes, par analytique',
  triageTime: 'Délai de triage',
  median: 'Médiane',
  p90: '9 sur 10 en',
  measured: 'Mesuré',
  open: 'Ouvrir',
  openOf: 'Ouvrir les alertes de {{title}}',
  nothingOpen: 'Aucune alerte n’est ouverte.',
  nothingMine: 'Rien ne vous est assigné.',
  nothingWaiting: 'Aucune alerte n’attend de responsable.',
  nothingTriaged: 'Aucune alerte n’a encore été évaluée.',
  nothingInView: 'La vue ne contient aucune alerte.',
  steps: {
    title: 'Premiers pas',
    done: 'Fait',
    password: 'Changer le mot de passe aléatoire',
    passwordLink: 'Changer le mot de passe',
    key: 'Créer une clé d’API et envoyer une alerte',
    keyLink: 'Créer une clé d’API',
    colleague: 'Inviter un collègue, ou relier un fournisseur d’identité',
    colleagueLink: 'Créer un compte',
    demo: 'Découvrir avec des alertes de démonstration',
    demoLoad: 'Charger les alertes de démonstration',
  },
};
