// What business documents mean by words that everyday sentences use otherwise: one concept a line, its words in English, German, French
// and Spanish, separated by bars.

import type { LexiconLanguage } from '../../src/language/lexicon.ts'
import { LEXICON_LANGUAGES } from '../../src/language/lexicon.ts'

const LINES = `
price prices cost costs fee fees | preis preise kosten kostet gebühr gebühren | prix coût coûts coûte coûtent tarif | precio precios coste costo cuesta cuestan tarifa
supplier suppliers vendor vendors supplies | lieferant lieferanten lieferantin zulieferer liefert | fournisseur fournisseurs fournit | proveedor proveedores suministra
customer customers client clients | kunde kunden kundin auftraggeber | client clients cliente | cliente clientes
part parts component components | teil teile bauteil bauteile komponente komponenten | pièce pièces composant composants | pieza piezas componente componentes
product products article articles item items | produkt produkte artikel ware waren | produit produits article articles | producto productos artículo artículos
stock inventory | bestand bestände lager lagerbestand vorrat | stock stocks inventaire | existencias inventario almacén
quantity amount | menge anzahl stückzahl | quantité | cantidad
delivery lead shipping | lieferung lieferzeit lieferfrist | livraison délai | entrega plazo
order orders purchase purchases buying | bestellung bestellungen auftrag aufträge | commande commandes | pedido pedidos
invoice invoices bill bills | rechnung rechnungen | facture factures | factura facturas
discount discounts rebate | rabatt rabatte nachlass | remise remises rabais | descuento descuentos
warranty guarantee | garantie gewährleistung | garantie | garantía
notice termination terminate | kündigung kündigungsfrist kündigen | préavis résiliation résilier | preaviso rescisión rescindir
lease tenancy | mietvertrag mietverhältnis pachtvertrag | bail baux | arrendamiento
contract contracts agreement agreements | vertrag verträge vereinbarung vereinbarungen | contrat contrats accord | contrato contratos acuerdo
amendment addendum | nachtrag änderungsvereinbarung zusatzvereinbarung | avenant | enmienda adenda
clause section | klausel ziffer paragraf abschnitt | clause section | cláusula sección
rent rental | miete mietzins jahresmiete monatsmiete | loyer loyers | alquiler renta
deposit | kaution mietkaution | caution dépôt | fianza depósito
tenant lessee | mieter mieterin | locataire locataires | inquilino arrendatario
party parties | partei parteien vertragspartei vertragsparteien | partie parties | parte partes
signature signed signs | unterschrift unterschrieben unterzeichnet | signature signé signée | firma firmado firmada
address | adresse anschrift | adresse | dirección
contact | ansprechpartner ansprechpartnerin kontakt | contact interlocuteur | contacto
employee employees staff personnel | mitarbeiter mitarbeiterin mitarbeitende angestellte beschäftigte personal | employé employés salarié salariés personnel | empleado empleados personal
salary salaries wage wages | gehalt gehälter lohn löhne | salaire salaires | salario salarios sueldo
holiday holidays vacation | urlaub urlaubstage ferien | congé congés vacances | vacaciones
illness sick sickness | krankheit krank krankmeldung | maladie malade | enfermedad enfermo
training | schulung ausbildung fortbildung | formation | formación capacitación
budget | budget haushalt etat | budget | presupuesto
revenue turnover sales | umsatz umsätze erlös erlöse | chiffre recettes ventes | ingresos ventas facturación
profit surplus earnings | gewinn überschuss ertrag | bénéfice excédent | beneficio ganancia excedente
loss losses | verlust verluste | perte pertes | pérdida pérdidas
tax vat | steuer mehrwertsteuer umsatzsteuer | taxe tva impôt | impuesto iva
payment pay paid pays | zahlung zahlungen zahlen bezahlt | paiement payer payé | pago pagos pagar pagado
insurance insured insures | versicherung versichert | assurance assuré | seguro asegurado
loan credit | darlehen kredit | prêt crédit | préstamo crédito
meeting meetings | sitzung versammlung besprechung treffen | réunion assemblée | reunión asamblea
report | bericht jahresbericht geschäftsbericht | rapport | informe memoria
handbook manual guide | handbuch anleitung leitfaden | manuel guide | manual guía
minutes | protokoll niederschrift | procès-verbal compte-rendu | acta actas
decision decisions resolution | beschluss beschlüsse entscheidung | décision décisions résolution | decisión decisiones resolución
board | vorstand aufsichtsrat | conseil directoire | junta consejo directiva
chair chairman chairwoman president | vorsitzende vorsitzender präsident präsidentin | président présidente | presidente presidenta
director manager head | leiter leiterin direktor geschäftsführer geschäftsführerin | directeur directrice responsable | director directora gerente responsable
member members | mitglied mitglieder | membre membres | miembro miembros socio socios
secretary | sekretär sekretärin schriftführer | secrétaire | secretario secretaria
company firm | firma unternehmen gesellschaft | entreprise société | empresa compañía sociedad
department team | abteilung team | service département équipe | departamento equipo
office offices | büro büros geschäftsstelle | bureau bureaux | oficina oficinas
laboratory lab | labor | laboratoire | laboratorio
warehouse store storage | lagerhaus lagerung aufbewahrung | entrepôt stockage | depósito almacenamiento
building | gebäude | bâtiment immeuble | edificio
move moves moved moving relocation | umzug umziehen zieht umgezogen | déménagement déménager déménage | mudanza mudan mudar traslado
letter letters | brief briefe schreiben | lettre lettres courrier | carta cartas
end ends ended expire expires ending | ende endet enden endete läuft ablauf | fin finit termine expire échéance | fin termina finaliza vence vencimiento
start starts begin begins beginning | beginn beginnt anfang anfängt start | début commence commencement | inicio comienza empieza comienzo
date dates | datum termin termine | date dates | fecha fechas
deadline due | frist fällig stichtag | échéance délai | plazo vencimiento
year years annual yearly | jahr jahre jährlich | an ans année années annuel | año años anual
month months monthly | monat monate monatlich | mois mensuel | mes meses mensual
week weeks weekly | woche wochen wöchentlich | semaine semaines hebdomadaire | semana semanas semanal
day days daily | tag tage täglich | jour jours quotidien | día días diario
hour hours | stunde stunden | heure heures | hora horas
country countries | land länder | pays | país países
city town | stadt ort | ville | ciudad
weight weighs | gewicht wiegt | poids pèse | peso pesa
length long | länge | longueur | longitud largo
width wide | breite breit | largeur | ancho anchura
height high | höhe hoch | hauteur | altura alto
depth deep | tiefe tief | profondeur | profundidad
size dimensions | größe abmessungen maße | taille dimensions | tamaño dimensiones
range | bereich messbereich reichweite | plage gamme portée | rango alcance
accuracy | genauigkeit | précision exactitude | precisión exactitud
temperature | temperatur | température | temperatura
pressure | druck | pression | presión
water | wasser | eau | agua
level | pegel stand füllstand | niveau | nivel
voltage | spannung | tension | tensión voltaje
power | leistung | puissance | potencia
speed | geschwindigkeit drehzahl | vitesse | velocidad
battery batteries | batterie batterien akku akkus | batterie batteries pile piles | batería baterías pila pilas
cable cables | kabel | câble câbles | cable cables
housing enclosure | gehäuse | boîtier | carcasa caja
sensor sensors cell | sensor sensoren fühler zelle | capteur capteurs cellule | sensor sensores célula
pump pumps | pumpe pumpen | pompe pompes | bomba bombas
motor engine | motor motoren | moteur moteurs | motor motores
screw bolt bolts | schraube schrauben bolzen | vis boulon boulons | tornillo tornillos perno
seal seals gasket | dichtung dichtungen | joint joints | junta juntas sello
key keys | schlüssel | clé clés clef | llave llaves
machine machines | maschine maschinen anlage | machine machines | máquina máquinas
tool tools | werkzeug werkzeuge | outil outils | herramienta herramientas
inspection test check | prüfung inspektion kontrolle | inspection contrôle essai | inspección prueba control
maintenance service | wartung instandhaltung | entretien maintenance | mantenimiento
repair repairs | reparatur reparaturen instandsetzung | réparation réparations | reparación reparaciones
certificate certificates | zertifikat bescheinigung zeugnis | certificat attestation | certificado
safety | sicherheit arbeitssicherheit | sécurité | seguridad
accident accidents | unfall unfälle | accident accidents | accidente accidentes
fire | brand feuer | incendie feu | incendio fuego
damage damaged | schaden schäden beschädigt | dommage dommages dégât | daño daños dañado
noise | lärm geräusch | bruit | ruido
password passwords | passwort passwörter kennwort | mot-de-passe | contraseña contraseñas
backup backups | sicherung datensicherung | sauvegarde sauvegardes | copia respaldo
travel journey | reise reisen dienstreise | voyage voyages déplacement | viaje viajes
car vehicle | auto fahrzeug pkw | voiture véhicule | coche vehículo
`

export type Concept = readonly { language: LexiconLanguage; word: string }[]

export const CONCEPTS: readonly Concept[] = LINES.trim()
  .split('\n')
  .map((line) =>
    line.split('|').flatMap((words, i) => {
      const language = LEXICON_LANGUAGES[i] ?? 'en'
      return words
        .split(/\s+/)
        .filter(Boolean)
        .map((word) => ({ language, word }))
    }),
  )
