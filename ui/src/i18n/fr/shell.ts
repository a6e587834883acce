import type { shell as english } from '../en/shell.ts';
import type { TranslationOf } from '../messages.ts';

export const shell: TranslationOf<typeof english> = {
  skipToContent: 'Aller au contenu',
  mainNavigation: 'Navigation principale',
  rail: {
    home: 'Accueil',
    alerts: 'Alertes',
    cases: 'Dossiers',
    files: 'Fichiers',
    lookUp: 'Recherche d’indicateurs',
    analytics: 'Analytiques',
    views: 'Vues',
    actions: 'Actions',
    templates: 'Modèles',
    overviews: 'Résumés',
    dossiers: 'Dossiers',
    settings: 'Réglages',
    administration: 'Administration',
    apiReference: 'Référence de l’API',
  },
  notFound: {
    title: 'Cette page n’existe pas',
    text: 'L’adresse est peut-être erronée, ou la page a été supprimée.',
    home: 'Aller à l’accueil',
  },
  connection: {
    offline: 'Le serveur ne répond pas. Votre saisie est conservée ; le programme réessaie de lui-même.',
    waiting: 'Le serveur est occupé. Prochain essai dans {{seconds}} s.',
  },
  palette: {
    open: 'Commandes',
    title: 'Commandes et pages',
    placeholder: 'Tapez une commande ou le nom d’une page',
    empty: 'Aucune correspondance.',
  },
  account: { menu: 'Compte de {{name}}', settings: 'Réglages', signOut: 'Se déconnecter' },
  keys: { title: 'Touches de cette page', none: 'aucune' },
  notifications: { assigned: '{{name}} vous a attribué une alerte' },
  expired: {
    title: 'Votre session est terminée',
    text: 'Reconnectez-vous pour continuer. Rien de votre saisie n’est perdu.',
  },
  signIn: {
    title: 'Connexion',
    user: 'Nom d’utilisateur',
    password: 'Mot de passe',
    submit: 'Se connecter',
    otp: 'Mot de passe à usage unique',
    otpHint: 'Six chiffres de votre application d’authentification, ou un code de secours.',
    recoveryCode: 'Code de secours',
    securityKey: 'Utiliser la clé de sécurité',
    keyHost:
      'Les clés de sécurité ne fonctionnent qu’à l’adresse {{host}}. Ouvrez la page à cette adresse pour utiliser la vôtre.',
    wrongFactor: 'Refusé. Réessayez.',
    provider: 'Se connecter avec {{name}}',
    failed: 'La connexion a échoué.',
    returning: 'Connexion en cours …',
    back: 'Retour à la connexion',
  },
};
