// The texts of the service's own pages and mails in Spanish.

import type { Catalogue } from './messages.ts'

export const es: Catalogue = {
  'This link is no longer valid': 'Este enlace ya no es válido',
  'Sign in': 'Iniciar sesión',
  'Password, at least 12 characters': 'Contraseña, al menos 12 caracteres',
  'Repeat the password': 'Repita la contraseña',
  'Set up Kenning': 'Configurar Kenning',
  'Create the first account. It is the administrator: it can invite others.':
    'Cree la primera cuenta. Es la de administración y puede invitar a otras personas.',
  'Email address': 'Correo electrónico',
  'Create account': 'Crear cuenta',
  'Kenning prints a new setup link each time it starts without an account; an earlier one no longer works. If the first account exists already, sign in.':
    'Kenning muestra un nuevo enlace de configuración cada vez que se inicia sin cuentas; los anteriores dejan de funcionar. Si la primera cuenta ya existe, inicie sesión.',
  'The link was already used or has expired. Make a new one, or sign in.':
    'El enlace ya se ha usado o ha caducado. Cree uno nuevo o inicie sesión.',
  'Open Kenning': 'Abrir Kenning',
  'You will be signed in as {email} in this browser. The link works once.':
    'Se iniciará sesión como {email} en este navegador. El enlace funciona una sola vez.',
  'Create your account': 'Cree su cuenta',
  'The invitation has expired, was already used or has been withdrawn. Ask your administrator for a new one.':
    'La invitación ha caducado, ya se ha usado o se ha retirado. Pida una nueva a su administrador.',
  'Choose a new password': 'Elija una contraseña nueva',
  'Set password': 'Guardar la contraseña',
  'Reset your password': 'Restablecer la contraseña',
  'Email address of your account': 'Correo electrónico de su cuenta',
  'Send reset link': 'Enviar el enlace de restablecimiento',
  'This server does not send email. Ask the administrator for a link to reset your password.':
    'Este servidor no envía correos. Pida al administrador un enlace para restablecer su contraseña.',
  'The link has expired or was already used. Request a new one.':
    'El enlace ha caducado o ya se ha usado. Solicite uno nuevo.',
  'Check your email': 'Revise su correo',
  'If there is an account with this email address, we have sent a link to reset its password. It works once, within an hour.':
    'Si existe una cuenta con este correo electrónico, hemos enviado un enlace para restablecer su contraseña. Funciona una sola vez, durante una hora.',
  'This page has expired. Go back, reload it and try again.':
    'Esta página ha caducado. Vuelva atrás, recárguela e inténtelo de nuevo.',
  'The form contains an invalid value': 'El formulario contiene un valor no válido',
  'The two passwords do not match': 'Las dos contraseñas no coinciden',
  'Go to your workspaces': 'Ir a sus espacios de trabajo',
  'Not found': 'No encontrado',
  'Not allowed': 'No permitido',
  'Too many attempts': 'Demasiados intentos',
  'Something went wrong': 'Se ha producido un error',
  'Request rejected': 'Solicitud rechazada',
  'The URL to redirect to is too long. Go back and use fewer parameters.':
    'La URL de redirección es demasiado larga. Vuelva atrás y use menos parámetros.',
  'Enter your email address and your password.': 'Introduzca su correo electrónico y su contraseña.',
  Password: 'Contraseña',
  'Sign in with {company}': 'Iniciar sesión con {company}',
  'Forgot your password?': '¿Ha olvidado su contraseña?',
  'Kenning is not set up yet': 'Kenning aún no está configurado',
  'There is no account yet. Open the setup link that Kenning printed when it started, to create the first one.':
    'Todavía no hay ninguna cuenta. Para crear la primera, abra el enlace de configuración que Kenning mostró al iniciarse.',
  'The link is in the terminal or the log of {command}. A restart prints a new one.':
    'El enlace está en el terminal o en el registro de {command}. Al reiniciar se muestra uno nuevo.',
  'The email address or password is incorrect.': 'El correo electrónico o la contraseña no son correctos.',
  'Sign-up is closed on this server. Ask the administrator for an invitation.':
    'El registro está cerrado en este servidor. Pida una invitación al administrador.',
  'This invitation has expired, was already used or is for another email address. Ask for a new one.':
    'Esta invitación ha caducado, ya se ha usado o es para otro correo electrónico. Pida una nueva.',
  'An account with this email address already exists; sign in instead':
    'Ya existe una cuenta con este correo electrónico; inicie sesión',
  'The password must have at least 12 characters': 'La contraseña debe tener al menos 12 caracteres',
  'The password must have at most 1000 characters': 'La contraseña debe tener como máximo 1000 caracteres',
  'This password is too easy to guess; choose another one, for example four unrelated words':
    'Esta contraseña es demasiado fácil de adivinar; elija otra, por ejemplo cuatro palabras sin relación',
  'This link has expired or was already used. Request a new one.':
    'Este enlace ha caducado o ya se ha usado. Solicite uno nuevo.',
  'Email is not configured on this server. Ask the administrator for a password reset link.':
    'El correo no está configurado en este servidor. Pida al administrador un enlace para restablecer la contraseña.',
  'Too many sign-ins are in progress; try again in a moment.':
    'Hay demasiados inicios de sesión en curso; inténtelo de nuevo en un momento.',
  'This account is suspended. Ask your administrator.':
    'Esta cuenta está suspendida. Consulte a su administrador.',
  'You are not in a company group that may use Kenning. Ask your administrator.':
    'No pertenece a ningún grupo de su empresa que pueda usar Kenning. Consulte a su administrador.',
  'Your company’s identity provider does not confirm your email address. Ask your administrator.':
    'El proveedor de identidad de su empresa no confirma su correo electrónico. Consulte a su administrador.',
  'Your company’s identity provider does not send a valid email address for you. Ask your administrator.':
    'El proveedor de identidad de su empresa no envía ninguna dirección de correo válida para usted. Consulte a su administrador.',
  'Your email address belongs to the account of another company user. Ask your administrator.':
    'Su correo electrónico pertenece a la cuenta de otro usuario de la empresa. Consulte a su administrador.',
  'Kenning has no administrator yet: the first account has to be created with the setup token.':
    'Kenning aún no tiene administrador: la primera cuenta debe crearse con el token de configuración.',
  'This sign-in was started in another browser or more than 15 minutes ago. Start again.':
    'Este inicio de sesión se comenzó en otro navegador o hace más de 15 minutos. Empiece de nuevo.',
  'Your company’s identity provider refused the sign-in. Start again.':
    'El proveedor de identidad de su empresa ha rechazado el inicio de sesión. Empiece de nuevo.',
  'Your company’s identity provider could not complete the sign-in. Start again, or ask your administrator.':
    'El proveedor de identidad de su empresa no pudo completar el inicio de sesión. Empiece de nuevo o consulte a su administrador.',
  'Company sign-in is not configured on this server.':
    'El inicio de sesión de empresa no está configurado en este servidor.',
  'This application is not registered on this server, or its registration has expired. Remove the connection in the application and add it again.':
    'Esta aplicación no está registrada en este servidor o su registro ha caducado. Elimine la conexión en la aplicación y vuelva a añadirla.',
  'This is not a valid email address': 'No es un correo electrónico válido',
  'There is no page at this address.': 'No hay ninguna página en esta dirección.',
  'The service is restarting; try again in a few seconds.':
    'El servicio se está reiniciando; inténtelo de nuevo en unos segundos.',
  'The database is not reachable at the moment; try again in a few seconds.':
    'La base de datos no está disponible en este momento; inténtelo de nuevo en unos segundos.',
  'The database did not answer in time; try again in a few seconds.':
    'La base de datos no respondió a tiempo; inténtelo de nuevo en unos segundos.',
  email: 'correo electrónico',
  password: 'contraseña',
  'Check “{field}”: {problem}': 'Revise «{field}»: {problem}',
  'Too many attempts. Try again in {count} seconds.': {
    one: 'Demasiados intentos. Inténtelo de nuevo en {count} segundo.',
    other: 'Demasiados intentos. Inténtelo de nuevo en {count} segundos.',
  },
  'The form contains no decision: choose Allow or Deny.':
    'El formulario no contiene ninguna decisión: elija Permitir o Denegar.',
  'Create, change and delete workspaces and documents where your role allows it':
    'Crear, modificar y eliminar espacios de trabajo y documentos donde su rol lo permita',
  'Allow “{name}” to access Kenning?': '¿Permitir que «{name}» acceda a Kenning?',
  'It will be able to': 'Podrá',
  'Read, search and ask questions in all workspaces that you can read':
    'Leer, buscar y hacer preguntas en todos los espacios de trabajo que usted puede leer',
  'It returns you to': 'Después volverá a',
  'It acts as {email} until you disconnect it under Connections.':
    'Actúa como {email} hasta que la desconecte en Conexiones.',
  'Use another account': 'Usar otra cuenta',
  Deny: 'Denegar',
  Allow: 'Permitir',
  'An application that calls itself {name} wants to access Kenning on your behalf. This name has not been verified: allow access only if you have just started this yourself.':
    'Una aplicación que se presenta como {name} quiere acceder a Kenning en su nombre. Este nombre no se ha verificado: permita el acceso solo si usted acaba de iniciar esta solicitud.',
  '{name}, an application of {host}, wants to access Kenning on your behalf. Allow access only if you have just started this yourself.':
    '{name}, una aplicación de {host}, quiere acceder a Kenning en su nombre. Permita el acceso solo si usted acaba de iniciar esta solicitud.',
  'A program on this computer.': 'Un programa de este equipo.',
  'The app on this device that opens links of this kind.':
    'La aplicación de este dispositivo que abre enlaces de este tipo.',
  'Any program on this computer could have asked for access under this name. Kenning cannot tell which one it is.':
    'Cualquier programa de este equipo podría haber pedido acceso con este nombre. Kenning no puede saber cuál es.',
  'Reset your Kenning password': 'Restablecer su contraseña de Kenning',
  'Someone, probably you, asked to reset the Kenning password of this email address.':
    'Alguien, probablemente usted, ha pedido restablecer la contraseña de Kenning de este correo electrónico.',
  'If it was not you, ignore this email: your password stays the same.':
    'Si no fue usted, ignore este correo: su contraseña no cambia.',
  'Enter your code': 'Introduzca su código',
  'Your second factor': 'Su segundo factor',
  'Enter the code that your authenticator app shows for Kenning, or one of your recovery codes.':
    'Introduzca el código que su aplicación de autenticación muestra para Kenning o uno de sus códigos de recuperación.',
  Code: 'Código',
  'Sign in as somebody else': 'Iniciar sesión con otra cuenta',
  'Without the app and without recovery codes, ask your administrator to reset your second factor.':
    'Si no tiene ni la aplicación ni códigos de recuperación, pida a su administrador que restablezca su segundo factor.',
  'The code is wrong, was already used or has expired.':
    'El código no es correcto, ya se ha usado o ha caducado.',
  'The sign-in took too long. Enter your password again.':
    'El inicio de sesión tardó demasiado. Introduzca de nuevo su contraseña.',
  'Your account will be {email}.': 'Su cuenta será {email}.',
  'Kenning searches documents and answers questions about them, with the sentences that each answer comes from.':
    'Kenning busca en documentos y responde a preguntas sobre ellos, con las frases de las que procede cada respuesta.',
  'You can read its documents, search them and ask about them.':
    'Puede leer sus documentos, buscar en ellos y hacer preguntas sobre ellos.',
  'You can read its documents, ask about them, and add, change and delete documents.':
    'Puede leer sus documentos, hacer preguntas sobre ellos y añadir, modificar y eliminar documentos.',
  'You can do everything in it, also manage its members.':
    'Puede hacer todo en él, también administrar sus miembros.',
  '{person} invites you to Kenning.': '{person} le invita a Kenning.',
  '{person} invites you to the workspace “{workspace}” in Kenning.':
    '{person} le invita al espacio de trabajo «{workspace}» de Kenning.',
  '{person} invites you to “{workspace}” in Kenning': '{person} le invita a «{workspace}» en Kenning',
  '{person} invites you to Kenning': '{person} le invita a Kenning',
  'The link works once, within 7 days.': 'El enlace funciona una sola vez, durante 7 días.',
  'Open your account page': 'Abrir su cuenta',
  'The link works once, within an hour.': 'El enlace funciona una sola vez, durante una hora.',
  'If you did not expect this invitation, ignore this email: no account is created without you.':
    'Si no esperaba esta invitación, ignore este correo: no se crea ninguna cuenta sin usted.',
  'If the button does not work, open this address in your browser:':
    'Si el botón no funciona, abra esta dirección en su navegador:',
  'This email was sent by Kenning at {address}.': 'Este correo fue enviado por Kenning, en {address}.',
  'You turned off your second factor on your account page: from now on, your password alone signs you in at {address}.':
    'Usted desactivó su segundo factor en la página de su cuenta: a partir de ahora, basta su contraseña para iniciar sesión en {address}.',
  'An administrator turned off your second factor: from now on, your password alone signs you in at {address}.':
    'Un administrador desactivó su segundo factor: a partir de ahora, basta su contraseña para iniciar sesión en {address}.',
  'The second factor of your Kenning account is off':
    'El segundo factor de su cuenta de Kenning está desactivado',
  'You can set up a new one on your account page.': 'Puede configurar uno nuevo en la página de su cuenta.',
  'If you did not expect this, change your password and tell your administrator.':
    'Si no lo esperaba, cambie su contraseña y avise a su administrador.',
  'The second factor of your Kenning account is on':
    'El segundo factor de su cuenta de Kenning está activado',
  'From now on, signing in with your password at {address} also asks for your second factor.':
    'A partir de ahora, al iniciar sesión con su contraseña en {address} se pide también su segundo factor.',
  'Keep your recovery codes where you find them without your phone.':
    'Guarde sus códigos de recuperación donde los encuentre sin su teléfono.',
  'New recovery codes for your Kenning account': 'Nuevos códigos de recuperación para su cuenta de Kenning',
  'You made new recovery codes on your account page at {address}. The former ones no longer work.':
    'Usted creó nuevos códigos de recuperación en la página de su cuenta en {address}. Los anteriores ya no funcionan.',
  'A recovery code of your Kenning account was used':
    'Se usó un código de recuperación de su cuenta de Kenning',
  'Someone, probably you, signed in at {address} with your password and a recovery code.':
    'Alguien, probablemente usted, inició sesión en {address} con su contraseña y un código de recuperación.',
  '{count} recovery codes are left.': {
    one: 'Queda {count} código de recuperación.',
    other: 'Quedan {count} códigos de recuperación.',
  },
  'You can make new recovery codes on your account page.':
    'Puede crear nuevos códigos de recuperación en la página de su cuenta.',
  'A passkey was added to your Kenning account': 'Se añadió una clave de acceso a su cuenta de Kenning',
  'From now on, you can also sign in at {address} with your password and the passkey “{name}”.':
    'A partir de ahora, también puede iniciar sesión en {address} con su contraseña y la clave de acceso «{name}».',
  'An authenticator app was added to your Kenning account':
    'Se añadió una aplicación de autenticación a su cuenta de Kenning',
  'From now on, you can also sign in at {address} with your password and a code of the app.':
    'A partir de ahora, también puede iniciar sesión en {address} con su contraseña y un código de la aplicación.',
  'The authenticator app was removed from your Kenning account':
    'Se quitó la aplicación de autenticación de su cuenta de Kenning',
  'Codes of the app no longer sign you in at {address}. Your passkeys and recovery codes still work.':
    'Los códigos de la aplicación ya no sirven para iniciar sesión en {address}. Sus claves de acceso y sus códigos de recuperación siguen funcionando.',
  'A passkey was removed from your Kenning account': 'Se quitó una clave de acceso de su cuenta de Kenning',
  'The passkey “{name}” no longer signs you in at {address}.':
    'La clave de acceso «{name}» ya no sirve para iniciar sesión en {address}.',
  'The passkey was not accepted. Try again.': 'No se aceptó la clave de acceso. Inténtelo de nuevo.',
  'Use a passkey': 'Usar una clave de acceso',
  'Without your passkey, enter one of your recovery codes.':
    'Sin su clave de acceso, introduzca uno de sus códigos de recuperación.',
  'Without your passkey and without recovery codes, ask your administrator to reset your second factor.':
    'Sin su clave de acceso ni códigos de recuperación, pida a su administración que restablezca su segundo factor.',
}
