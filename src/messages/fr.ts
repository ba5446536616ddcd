// The texts of the service's own pages and mails in French.

import type { Catalogue } from './messages.ts'

export const fr: Catalogue = {
  'This link is no longer valid': 'Ce lien n’est plus valide',
  'Sign in': 'Se connecter',
  'Password, at least 12 characters': 'Mot de passe, au moins 12 caractères',
  'Repeat the password': 'Répétez le mot de passe',
  'Set up Kenning': 'Configurer Kenning',
  'Create the first account. It is the administrator: it can invite others.':
    'Créez le premier compte. C’est celui de l’administrateur : il peut inviter d’autres personnes.',
  'Email address': 'Adresse e-mail',
  'Create account': 'Créer le compte',
  'Kenning prints a new setup link each time it starts without an account; an earlier one no longer works. If the first account exists already, sign in.':
    'Kenning affiche un nouveau lien de configuration à chaque démarrage sans compte ; les liens précédents ne fonctionnent plus. Si le premier compte existe déjà, connectez-vous.',
  'The link was already used or has expired. Make a new one, or sign in.':
    'Le lien a déjà été utilisé ou a expiré. Créez-en un nouveau ou connectez-vous.',
  'Open Kenning': 'Ouvrir Kenning',
  'You will be signed in as {email} in this browser. The link works once.':
    'La connexion se fera en tant que {email} dans ce navigateur. Le lien ne fonctionne qu’une fois.',
  'Create your account': 'Créez votre compte',
  'The invitation has expired, was already used or has been withdrawn. Ask your administrator for a new one.':
    'L’invitation a expiré, a déjà été utilisée ou a été retirée. Demandez-en une nouvelle à votre administrateur.',
  'Choose a new password': 'Choisissez un nouveau mot de passe',
  'Set password': 'Enregistrer le mot de passe',
  'Reset your password': 'Réinitialiser votre mot de passe',
  'Email address of your account': 'Adresse e-mail de votre compte',
  'Send reset link': 'Envoyer le lien de réinitialisation',
  'This server does not send email. Ask the administrator for a link to reset your password.':
    'Ce serveur n’envoie pas d’e-mails. Demandez à l’administrateur un lien pour réinitialiser votre mot de passe.',
  'The link has expired or was already used. Request a new one.':
    'Le lien a expiré ou a déjà été utilisé. Demandez-en un nouveau.',
  'Check your email': 'Consultez vos e-mails',
  'If there is an account with this email address, we have sent a link to reset its password. It works once, within an hour.':
    'S’il existe un compte avec cette adresse e-mail, nous avons envoyé un lien pour réinitialiser son mot de passe. Il fonctionne une seule fois, pendant une heure.',
  'This page has expired. Go back, reload it and try again.':
    'Cette page a expiré. Revenez en arrière, actualisez-la et réessayez.',
  'The form contains an invalid value': 'Le formulaire contient une valeur non valide',
  'The two passwords do not match': 'Les deux mots de passe ne correspondent pas',
  'Go to your workspaces': 'Aller à vos espaces de travail',
  'Not found': 'Page introuvable',
  'Not allowed': 'Accès refusé',
  'Too many attempts': 'Trop de tentatives',
  'Something went wrong': 'Une erreur s’est produite',
  'Request rejected': 'Demande refusée',
  'The URL to redirect to is too long. Go back and use fewer parameters.':
    'L’URL de redirection est trop longue. Revenez en arrière et utilisez moins de paramètres.',
  'Enter your email address and your password.': 'Saisissez votre adresse e-mail et votre mot de passe.',
  Password: 'Mot de passe',
  'Sign in with {company}': 'Se connecter avec {company}',
  'Forgot your password?': 'Mot de passe oublié ?',
  'Kenning is not set up yet': 'Kenning n’est pas encore configuré',
  'There is no account yet. Open the setup link that Kenning printed when it started, to create the first one.':
    'Il n’y a pas encore de compte. Pour créer le premier, ouvrez le lien de configuration que Kenning a affiché à son démarrage.',
  'The link is in the terminal or the log of {command}. A restart prints a new one.':
    'Le lien se trouve dans le terminal ou le journal de {command}. Un redémarrage en affiche un nouveau.',
  'The email address or password is incorrect.': 'L’adresse e-mail ou le mot de passe est incorrect.',
  'Sign-up is closed on this server. Ask the administrator for an invitation.':
    'Les inscriptions sont fermées sur ce serveur. Demandez une invitation à l’administrateur.',
  'This invitation has expired, was already used or is for another email address. Ask for a new one.':
    'Cette invitation a expiré, a déjà été utilisée ou concerne une autre adresse e-mail. Demandez-en une nouvelle.',
  'An account with this email address already exists; sign in instead':
    'Un compte existe déjà avec cette adresse e-mail ; connectez-vous',
  'The password must have at least 12 characters': 'Le mot de passe doit comporter au moins 12 caractères',
  'The password must have at most 1000 characters': 'Le mot de passe doit comporter au plus 1000 caractères',
  'This password is too easy to guess; choose another one, for example four unrelated words':
    'Ce mot de passe est trop facile à deviner ; choisissez-en un autre, par exemple quatre mots sans rapport entre eux',
  'This link has expired or was already used. Request a new one.':
    'Ce lien a expiré ou a déjà été utilisé. Demandez-en un nouveau.',
  'Email is not configured on this server. Ask the administrator for a password reset link.':
    'L’envoi d’e-mails n’est pas configuré sur ce serveur. Demandez à l’administrateur un lien de réinitialisation du mot de passe.',
  'Too many sign-ins are in progress; try again in a moment.':
    'Trop de connexions sont en cours ; réessayez dans un instant.',
  'This account is suspended. Ask your administrator.':
    'Ce compte est suspendu. Adressez-vous à votre administrateur.',
  'You are not in a company group that may use Kenning. Ask your administrator.':
    'Vous ne faites partie d’aucun groupe de votre entreprise autorisé à utiliser Kenning. Adressez-vous à votre administrateur.',
  'Your company’s identity provider does not confirm your email address. Ask your administrator.':
    'Le fournisseur d’identité de votre entreprise ne confirme pas votre adresse e-mail. Adressez-vous à votre administrateur.',
  'Your company’s identity provider does not send a valid email address for you. Ask your administrator.':
    'Le fournisseur d’identité de votre entreprise n’envoie pas d’adresse e-mail valide pour vous. Adressez-vous à votre administrateur.',
  'Your email address belongs to the account of another company user. Ask your administrator.':
    'Votre adresse e-mail appartient au compte d’un autre utilisateur de l’entreprise. Adressez-vous à votre administrateur.',
  'Kenning has no administrator yet: the first account has to be created with the setup token.':
    'Kenning n’a pas encore d’administrateur : le premier compte doit être créé avec le jeton de configuration.',
  'This sign-in was started in another browser or more than 15 minutes ago. Start again.':
    'Cette connexion a été commencée dans un autre navigateur ou il y a plus de 15 minutes. Recommencez.',
  'Your company’s identity provider refused the sign-in. Start again.':
    'Le fournisseur d’identité de votre entreprise a refusé la connexion. Recommencez.',
  'Your company’s identity provider could not complete the sign-in. Start again, or ask your administrator.':
    'Le fournisseur d’identité de votre entreprise n’a pas pu terminer la connexion. Recommencez ou adressez-vous à votre administrateur.',
  'Company sign-in is not configured on this server.':
    'La connexion d’entreprise n’est pas configurée sur ce serveur.',
  'This application is not registered on this server, or its registration has expired. Remove the connection in the application and add it again.':
    'Cette application n’est pas enregistrée sur ce serveur, ou son enregistrement a expiré. Supprimez la connexion dans l’application et ajoutez-la de nouveau.',
  'This is not a valid email address': 'Cette adresse e-mail n’est pas valide',
  'There is no page at this address.': 'Il n’y a aucune page à cette adresse.',
  'The service is restarting; try again in a few seconds.':
    'Le service redémarre ; réessayez dans quelques secondes.',
  'The database is not reachable at the moment; try again in a few seconds.':
    'La base de données est momentanément injoignable ; réessayez dans quelques secondes.',
  'The database did not answer in time; try again in a few seconds.':
    'La base de données n’a pas répondu à temps ; réessayez dans quelques secondes.',
  email: 'adresse e-mail',
  password: 'mot de passe',
  'Check “{field}”: {problem}': 'Vérifiez « {field} » : {problem}',
  'Too many attempts. Try again in {count} seconds.': {
    one: 'Trop de tentatives. Réessayez dans {count} seconde.',
    other: 'Trop de tentatives. Réessayez dans {count} secondes.',
  },
  'The form contains no decision: choose Allow or Deny.':
    'Le formulaire ne contient pas de décision : choisissez Autoriser ou Refuser.',
  'Create, change and delete workspaces and documents where your role allows it':
    'Créer, modifier et supprimer des espaces de travail et des documents lorsque votre rôle le permet',
  'Allow “{name}” to access Kenning?': 'Autoriser « {name} » à accéder à Kenning ?',
  'It will be able to': 'Elle pourra',
  'Read, search and ask questions in all workspaces that you can read':
    'Lire, chercher et poser des questions dans tous les espaces de travail que vous pouvez lire',
  'It returns you to': 'Vous serez redirigé vers',
  'It acts as {email} until you disconnect it under Connections.':
    'Elle agit en tant que {email} jusqu’à ce que vous la déconnectiez dans Connexions.',
  'Use another account': 'Utiliser un autre compte',
  Deny: 'Refuser',
  Allow: 'Autoriser',
  'An application that calls itself {name} wants to access Kenning on your behalf. This name has not been verified: allow access only if you have just started this yourself.':
    'Une application qui se présente comme {name} souhaite accéder à Kenning en votre nom. Ce nom n’a pas été vérifié : n’autorisez l’accès que si vous venez vous-même de lancer cette demande.',
  '{name}, an application of {host}, wants to access Kenning on your behalf. Allow access only if you have just started this yourself.':
    '{name}, une application de {host}, souhaite accéder à Kenning en votre nom. N’autorisez l’accès que si vous venez vous-même de lancer cette demande.',
  'A program on this computer.': 'Un programme sur cet ordinateur.',
  'The app on this device that opens links of this kind.':
    'L’application de cet appareil qui ouvre ce type de liens.',
  'Any program on this computer could have asked for access under this name. Kenning cannot tell which one it is.':
    'N’importe quel programme de cet ordinateur a pu demander l’accès sous ce nom. Kenning ne peut pas savoir lequel.',
  'Reset your Kenning password': 'Réinitialiser votre mot de passe Kenning',
  'Someone, probably you, asked to reset the Kenning password of this email address.':
    'Quelqu’un, probablement vous, a demandé à réinitialiser le mot de passe Kenning de cette adresse e-mail.',
  'If it was not you, ignore this email: your password stays the same.':
    'Si ce n’était pas vous, ignorez cet e-mail : votre mot de passe ne change pas.',
  'Enter your code': 'Saisissez votre code',
  'Your second factor': 'Votre second facteur',
  'Enter the code that your authenticator app shows for Kenning, or one of your recovery codes.':
    'Saisissez le code que votre application d’authentification affiche pour Kenning, ou l’un de vos codes de récupération.',
  Code: 'Code',
  'Sign in as somebody else': 'Se connecter avec un autre compte',
  'Without the app and without recovery codes, ask your administrator to reset your second factor.':
    'Si vous n’avez ni l’application ni codes de récupération, demandez à votre administrateur de réinitialiser votre second facteur.',
  'The code is wrong, was already used or has expired.':
    'Le code est incorrect, a déjà été utilisé ou a expiré.',
  'The sign-in took too long. Enter your password again.':
    'La connexion a pris trop de temps. Saisissez de nouveau votre mot de passe.',
  'Your account will be {email}.': 'Votre compte sera {email}.',
  'Kenning searches documents and answers questions about them, with the sentences that each answer comes from.':
    'Kenning cherche dans des documents et répond à des questions à leur sujet, avec les phrases dont chaque réponse provient.',
  'You can read its documents, search them and ask about them.':
    'Vous pouvez lire ses documents, y faire des recherches et poser des questions à leur sujet.',
  'You can read its documents, ask about them, and add, change and delete documents.':
    'Vous pouvez lire ses documents, poser des questions à leur sujet, et ajouter, modifier et supprimer des documents.',
  'You can do everything in it, also manage its members.':
    'Vous pouvez tout y faire, y compris gérer ses membres.',
  '{person} invites you to Kenning.': '{person} vous invite à utiliser Kenning.',
  '{person} invites you to the workspace “{workspace}” in Kenning.':
    '{person} vous invite à rejoindre l’espace de travail « {workspace} » dans Kenning.',
  '{person} invites you to “{workspace}” in Kenning':
    '{person} vous invite à rejoindre « {workspace} » dans Kenning',
  '{person} invites you to Kenning': '{person} vous invite à utiliser Kenning',
  'The link works once, within 7 days.': 'Le lien fonctionne une seule fois, pendant 7 jours.',
  'Open your account page': 'Ouvrir votre compte',
  'The link works once, within an hour.': 'Le lien fonctionne une seule fois, pendant une heure.',
  'If you did not expect this invitation, ignore this email: no account is created without you.':
    'Si vous n’attendiez pas cette invitation, ignorez cet e-mail : aucun compte n’est créé sans vous.',
  'If the button does not work, open this address in your browser:':
    'Si le bouton ne fonctionne pas, ouvrez cette adresse dans votre navigateur :',
  'This email was sent by Kenning at {address}.':
    'Cet e-mail a été envoyé par Kenning, à l’adresse {address}.',
  'You turned off your second factor on your account page: from now on, your password alone signs you in at {address}.':
    'Vous avez désactivé votre second facteur sur la page de votre compte : désormais, votre mot de passe suffit pour vous connecter à {address}.',
  'An administrator turned off your second factor: from now on, your password alone signs you in at {address}.':
    'Un administrateur a désactivé votre second facteur : désormais, votre mot de passe suffit pour vous connecter à {address}.',
  'The second factor of your Kenning account is off':
    'Le second facteur de votre compte Kenning est désactivé',
  'You can set up a new one on your account page.':
    'Vous pouvez en configurer un nouveau sur la page de votre compte.',
  'If you did not expect this, change your password and tell your administrator.':
    'Si vous ne vous y attendiez pas, changez votre mot de passe et prévenez votre administrateur.',
  'The second factor of your Kenning account is on': 'Le second facteur de votre compte Kenning est activé',
  'From now on, signing in with your password at {address} also asks for your second factor.':
    'Désormais, la connexion avec votre mot de passe à {address} demande aussi votre second facteur.',
  'Keep your recovery codes where you find them without your phone.':
    'Conservez vos codes de récupération là où vous les retrouverez sans votre téléphone.',
  'New recovery codes for your Kenning account': 'Nouveaux codes de récupération pour votre compte Kenning',
  'You made new recovery codes on your account page at {address}. The former ones no longer work.':
    'Vous avez créé de nouveaux codes de récupération sur la page de votre compte à {address}. Les anciens ne fonctionnent plus.',
  'A recovery code of your Kenning account was used':
    'Un code de récupération de votre compte Kenning a été utilisé',
  'Someone, probably you, signed in at {address} with your password and a recovery code.':
    'Quelqu’un, probablement vous, s’est connecté à {address} avec votre mot de passe et un code de récupération.',
  '{count} recovery codes are left.': {
    one: 'Il reste {count} code de récupération.',
    other: 'Il reste {count} codes de récupération.',
  },
  'You can make new recovery codes on your account page.':
    'Vous pouvez créer de nouveaux codes de récupération sur la page de votre compte.',
  'A passkey was added to your Kenning account': 'Une clé d’accès a été ajoutée à votre compte Kenning',
  'From now on, you can also sign in at {address} with your password and the passkey “{name}”.':
    'Désormais, vous pouvez aussi vous connecter à {address} avec votre mot de passe et la clé d’accès « {name} ».',
  'An authenticator app was added to your Kenning account':
    'Une application d’authentification a été ajoutée à votre compte Kenning',
  'From now on, you can also sign in at {address} with your password and a code of the app.':
    'Désormais, vous pouvez aussi vous connecter à {address} avec votre mot de passe et un code de l’application.',
  'The authenticator app was removed from your Kenning account':
    'L’application d’authentification a été retirée de votre compte Kenning',
  'Codes of the app no longer sign you in at {address}. Your passkeys and recovery codes still work.':
    'Les codes de l’application ne permettent plus de vous connecter à {address}. Vos clés d’accès et vos codes de récupération fonctionnent toujours.',
  'A passkey was removed from your Kenning account': 'Une clé d’accès a été retirée de votre compte Kenning',
  'The passkey “{name}” no longer signs you in at {address}.':
    'La clé d’accès « {name} » ne permet plus de vous connecter à {address}.',
  'The passkey was not accepted. Try again.': 'La clé d’accès n’a pas été acceptée. Réessayez.',
  'Use a passkey': 'Utiliser une clé d’accès',
  'Without your passkey, enter one of your recovery codes.':
    'Sans votre clé d’accès, saisissez un de vos codes de récupération.',
  'Without your passkey and without recovery codes, ask your administrator to reset your second factor.':
    'Sans votre clé d’accès ni codes de récupération, demandez à votre administration de réinitialiser votre second facteur.',
}
