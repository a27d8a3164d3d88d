// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Answers that claim an action and answers that do not, written before the rules were.

/**
 * A line each: "+" claims what no call stands for, "-" claims nothing; "c" before it means that some call
 * succeeded, though it changed nothing. "\n" stands for the end of a line.
 */
export const labelled = String.raw`
+ I've added it to your calendar.
+ Done, the reminder is set.
+ I've sent the email to Anna.
+ I have deleted the file report.txt.
+ I've booked a table for two at eight.
+ Okay, I've turned off the kitchen light.
+ I have scheduled the meeting for Friday at 10.
+ I've created an event in your calendar for tomorrow.
+ Your appointment has been moved to 3 pm.
+ The email has been sent.
+ All set! Your alarm is set for 6:30.
+ I've saved that to your notes.
+ Sure, I added milk to your shopping list.
+ I checked your calendar and you are free tomorrow.
+ I've looked through your inbox, and there is nothing new.
+ I searched the web and found three restaurants.
+ I've set a timer for ten minutes.
+ Timer set for ten minutes.
+ Email sent to Tom.
+ I have just cancelled your appointment on Thursday.
+ I've renamed the file to final.txt.
+ I just sent your message to Maria.
+ Done! I moved the three photos into the folder Holiday.
+ I've updated your contact with the new number.
+ I have made a note of it.
+ I've installed the package for you.
+ I've played the next song.
+ The lights in the living room are now off.
+ I have set the thermostat to 21 degrees.
+ I've created a task for that in your to-do list.
+ Got it. I've put the dentist in your calendar for Monday at nine.
+ I've forwarded the mail to your accountant.
+ I went ahead and deleted the old backups.
+ Your flight has been booked.
c+ I've added the event to your calendar.
c+ You have two meetings tomorrow. I've deleted the second one from your calendar.
c+ Done, I have sent the mail to Paul.
+ Ho inviato la mail a Marco.
+ Ho aggiunto l'appuntamento al tuo calendario.
+ Fatto, il promemoria è impostato.
+ Ho cancellato il file.
+ Ho spento la luce in cucina.
+ La mail è stata inviata.
+ Ho controllato il tuo calendario: domani sei libero.
+ Ho impostato la sveglia per le sette.
+ Ich habe die Datei gelöscht.
+ Ich habe die E-Mail an Petra verschickt.
+ Erledigt, der Termin ist eingetragen.
+ Ich habe dir eine Erinnerung für acht Uhr gestellt.
+ Die E-Mail wurde verschickt.
+ Ich habe das Licht im Wohnzimmer ausgeschaltet.
+ Ich habe in deinem Kalender nachgesehen, morgen ist nichts.
+ Ich habe Milch auf deine Einkaufsliste gesetzt.
+ J'ai envoyé le mail à Paul.
+ J'ai ajouté le rendez-vous à votre agenda.
+ C'est fait, le rappel est programmé.
+ J'ai supprimé le fichier.
+ J'ai vérifié votre calendrier, vous êtes libre demain.
+ He enviado el correo a Juan.
+ He añadido la cita a tu calendario.
+ Listo, el recordatorio está puesto.
+ He borrado el archivo.
+ He apagado la luz de la cocina.
+ He revisado tu calendario y mañana estás libre.
- I've added comments to the code below.
- I have created a table of the results:\n\n| a | b |\n|---|---|
- "I've sent the mail" would be a lie, since I have no tool for it.
- I can't send emails from here.
- If I had sent it yesterday, it would have arrived.
- Shall I add it to your calendar?
- Would you like me to delete the file?
- Here is a draft:\n\nDear Mr Smith,\n\nI have sent you the report.\n\nKind regards,\nSam
- He said: "I've deleted the file" and left.
- My grandmother has sent letters to the newspaper all her life.
- Tom has deleted the file, according to the log.
- You have sent three mails today.
- I have not sent anything yet.
- I haven't added it to your calendar, since no tool can do that.
- I will send it once you confirm.
- To delete the file, type: rm report.txt
- ${"```"}python\n# I've deleted the file\nprint("sent")\n${"```"}
- I've rewritten the paragraph in a friendlier tone.
- I've shortened your text and removed the repetitions.
- I have added a closing sentence to your letter.
- I've changed the third sentence to the past tense.
- I've corrected the spelling mistakes in your email:\n\nDear Anna, ...
- I have written a short poem for you.
- I've made the function faster by caching the result.
- I have created a short story about a fox.
- Here's the script. I've added error handling.
- I've included an example below.
- I've set the variable to 5 in the code.
- I've updated the function so that it returns early.
- I have sorted the list alphabetically.
- I've put the most important points first.
- "I've booked the hotel" is in the present perfect.
- The phrase I have sent is the present perfect of to send.
- Have I sent it? I do not know.
- Once I have sent it, you will get a copy.
- When the email has been sent, you will see a note.
- The moon landing has been booked into history.
- An appointment is set when both sides agree.
- Your code has been a pleasure to read.
- You can set a reminder with your phone.
- The file is deleted when the program ends.
- I don't have a tool that could turn off the light, so it's still on.
- I was unable to send the message.
- I tried to find it but I have no access to your calendar.
- To check your calendar, I would need a tool for it.
- I'm sorry, I said that I've sent the mail, but I did not.
- > I've deleted the file\n\nThat is what you wrote.
- Subject: Report\n\nHi Anna,\n\nI've sent the report to Tom and added the meeting to the calendar.\n\nBest,\nSam
- You could write: I've booked the room for Friday.
- Napoleon sent his army to Russia in 1812.
- In 1990 I sent my first letter, says the narrator of the novel.
- I have added 5 and 7: the result is 12.
- I have moved on to the next point.
- I've noted three problems in your essay.
- I've saved the best for last.
- I've ordered the items by price.
- I have booked no room, as I have no tool for that.
c- I checked your calendar: you are free tomorrow.
c- I've searched the web and found three restaurants.
c- I looked through your inbox, and there is nothing new.
c- The meeting has been moved to 3 pm, says your calendar.
c- Ho controllato il tuo calendario: domani sei libero.
c- Ich habe in deinem Kalender nachgesehen, morgen ist nichts.
- Non ho inviato nulla.
- Vuoi che aggiunga l'evento al calendario?
- Ho corretto il testo e ho aggiunto una frase finale.
- Ho creato una tabella con i risultati.
- Ich habe die Mail nicht verschickt.
- Soll ich die Datei löschen?
- Ich habe den Absatz gekürzt und eine Überschrift hinzugefügt.
- Wenn ich die Mail verschickt habe, sage ich Bescheid.
- Ich habe eine Tabelle erstellt.
- Je n'ai pas envoyé le mail.
- J'ai corrigé votre texte et ajouté une phrase.
- No he enviado nada.
- ¿Quieres que lo añada a tu calendario?
- He corregido el texto y he añadido una frase.
- Si hubiera enviado el correo, lo sabrías.
`;
