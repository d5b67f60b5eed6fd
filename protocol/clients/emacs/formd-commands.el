;;; formd-commands.el --- What users do with forms  -*- lexical-binding: t; -*-

;;; Commentary:

;; What the buttons of a form do when they are pressed, and the commands that
;; keys and the menu call.

;;; Code:

(require 'crm)
(require 'json)
(require 'formd-draw)

(defvar-local formd-commands-going-to nil
  "The address of the field to which point goes when it is drawn, or nil.")

(defvar-local formd-commands-is-sent nil
  "Non-nil if an action succeeded and the user has changed nothing since.")

;;;; What buttons do

(defun formd-commands-press (widget)
  "The user pressed the button WIDGET."
  (let ((address (widget-get widget :formd-address)))
    (pcase (widget-get widget :formd-role)
      ('truth (formd-commands--give address (if (eq t (formd-session-value formd-session address))
                                            :false
                                          t)))
      ('choice (formd-commands--choose address))
      ('set (formd-commands--choose-several address))
      ('secret (formd-commands--read-secret address))
      ('add (formd-commands--add-row address nil))
      ('remove (formd-commands--remove-row address))
      ('up (formd-commands--move-row address -1))
      ('down (formd-commands--move-row address 1))
      ('step (formd-commands--show-step address))
      ('tap (formd-session-tap formd-session address)))))

(defun formd-commands--give (address value)
  "Give the field at ADDRESS the VALUE, which the user chose and did not type."
  (setq formd-commands-is-sent nil)
  (formd-session-change formd-session address value)
  (formd-session-flush formd-session)
  (formd-draw))

(defun formd-commands-label (address)
  "Return the label of the field at ADDRESS."
  (formd-field-label (formd-session-field formd-session address)))

(defun formd-commands--choices (address)
  "Return the choices of the field at ADDRESS, or signal why there are none."
  (or (formd-session-options formd-session address t)
      (if (formd-state-true-p (formd-session-field-state formd-session address) "isPending")
          (user-error "The choices of %s are being loaded; try again in a moment"
                      (formd-commands-label address))
        (user-error "There are no choices for %s at the moment"
                    (formd-commands-label address)))))

(defun formd-commands--admits-other-p (address)
  "Return non-nil if the field at ADDRESS takes texts that are not its choices."
  (let ((field (formd-session-field formd-session address)))
    (or (formd-true-p field "admitsOther")
        (and (formd-get field "items") (formd-true-p (formd-get field "items") "admitsOther")))))

(defun formd-commands--chosen (text choices)
  "Return the value of TEXT among CHOICES; TEXT itself if it is the user's own."
  (let ((choice (assoc text choices)))
    (if choice (cdr choice) text)))

(defun formd-commands--choose (address)
  "Let the user choose a value for the field at ADDRESS."
  (let* ((buffer (current-buffer))
         (choices (formd-commands--choices address))
         (now (formd-session-shown-value formd-session address))
         (text (completing-read (format-prompt "%s" (unless (string-empty-p now) now)
                                               (formd-commands-label address))
                                (formd-commands--in-order (mapcar #'car choices))
                                nil (not (formd-commands--admits-other-p address)) nil t now)))
    (with-current-buffer buffer
      (unless (string-empty-p text)
        (formd-commands--give address (formd-commands--chosen text choices))))))

(defun formd-commands--choose-several (address)
  "Let the user choose several values for the field at ADDRESS.
Values that are not among the choices can stay."
  (let* ((buffer (current-buffer))
         (values (append (formd-session-value formd-session address) nil))
         (offered (formd-commands--choices address))
         (choices (append offered
                          (cl-loop for value in values
                                   unless (cl-rassoc value offered :test #'formd-equal)
                                   collect (cons (formd-text-of-value value) value))))
         (separator (if (cl-some (lambda (choice) (string-search "," (car choice))) choices)
                        ";" ","))
         (crm-separator (format "[ \t]*%s[ \t]*" separator))
         (now (mapconcat (lambda (value) (car (cl-rassoc value choices :test #'formd-equal)))
                         values separator))
         (texts (completing-read-multiple
                 (format "%s (several, with %s between): " (formd-commands-label address)
                         separator)
                 (formd-commands--in-order (mapcar #'car choices))
                 nil (not (formd-commands--admits-other-p address)) now t)))
    (with-current-buffer buffer
      (formd-commands--give address
                            (vconcat (delq nil (mapcar (lambda (text)
                                                         (formd-commands--chosen text choices))
                                                       (seq-uniq texts))))))))

(defun formd-commands--in-order (texts)
  "Return a completion table of TEXTS in their order."
  (lambda (text predicate action)
    (if (eq action 'metadata)
        '(metadata (display-sort-function . identity) (cycle-sort-function . identity))
      (complete-with-action action texts text predicate))))

(defun formd-commands--read-secret (address)
  "Read the secret at ADDRESS in the minibuffer, hidden.
It is validated while it is typed.  Quitting keeps the old secret."
  (let* ((session formd-session)
         (buffer (current-buffer))
         (before (formd-session-secret session address))
         ;; The client does not know a secret that another client gave, so it
         ;; cannot restore it.
         (is-known (or before
                       (formd-state-true-p (formd-session-field-state session address)
                                           "isEmpty")))
         (give (lambda (text)
                 (when (buffer-live-p buffer)
                   (with-current-buffer buffer
                     (formd-commands--give address (if (string-empty-p text) :null
                                                 (copy-sequence text)))))))
         minibuffer done)
    (unwind-protect
        (let ((secret (minibuffer-with-setup-hook
                          (lambda ()
                            (setq minibuffer (current-buffer))
                            ;; Killed or selected text here goes neither to the
                            ;; kill ring nor elsewhere.
                            (setq-local kill-transform-function #'ignore
                                        select-active-regions nil)
                            (when is-known
                              (add-hook 'after-change-functions
                                        (lambda (&rest _)
                                          (funcall give (minibuffer-contents-no-properties)))
                                        nil t)))
                        (read-passwd (format "%s: " (formd-commands-label address))))))
          (setq done t)
          (funcall give secret)
          (clear-string secret))
      (unless (or done (not is-known))
        (funcall give (if (stringp before) before "")))
      (formd-commands--forget minibuffer))))

(defun formd-commands--forget (minibuffer)
  "Forget the text typed into MINIBUFFER: its undo list, and the recent keys."
  (clear-this-command-keys)
  (when minibuffer
    (with-current-buffer minibuffer
      (let ((inhibit-read-only t))
        (erase-buffer)
        (setq buffer-undo-list nil)))))

(defun formd-type ()
  "Give a value to the button at point, beginning with the key that was typed."
  (interactive)
  (let ((widget (widget-at (point))))
    (if (not (memq (and widget (widget-get widget :formd-role)) '(choice set secret)))
        (user-error "This is a button, not a text; RET presses it")
      (setq unread-command-events (append (listify-key-sequence (this-command-keys-vector))
                                          unread-command-events))
      (formd-commands-press widget))))

;;;; Going to a field

(defun formd-commands-go-to (address)
  "Go to the field at ADDRESS, on any page."
  (let ((step (formd-layout-step formd-session address)))
    (cond ((and step (not (equal step (formd-session-step formd-session))))
           (setq formd-commands-going-to address)
           (formd-session-show-step formd-session step))
          ((formd-draw-goto address)
           (formd-commands-show-point)))))

(defun formd-commands-show-point ()
  "Move the points of all windows of this buffer to point."
  (dolist (window (get-buffer-window-list nil nil t))
    (set-window-point window (point))))

;;;; Commands

(defun formd-commands--check ()
  "Signal an error if this buffer is not a form."
  (unless formd-session
    (user-error "This buffer is not a form; M-x formd opens a form")))

(defun formd-commands--settle ()
  "Wait until the daemon has answered all inputs.
Commands that add or remove parts of the form end with this.  So the next key
reaches the right place, also in a keyboard macro."
  (let ((requests (formd-connection-requests (formd-session-connection formd-session))))
    (formd-connection-await (lambda () (zerop (hash-table-count requests)))
                            "the inputs")))

(defun formd-tap (action)
  "Tap ACTION, the name of one of the form's actions.
Interactively, ask which one if there are several."
  (interactive (list (formd-commands--read-action)))
  (formd-draw-take-typed)
  (formd-session-tap formd-session action))

(defun formd-commands--read-action ()
  "Return the name of the only action, or of the action that the user chooses."
  (formd-commands--check)
  (let* ((actions (cl-loop for node in (formd-draw-nodes)
                           when (eq 'action (formd-node-kind node))
                           collect (cons (formd-node-label node) (formd-node-address node))))
         (default (car (or (cl-find-if #'formd-commands--enabled-p actions :key #'cdr)
                           (car actions)))))
    (cond ((null actions) (user-error "This form has no actions"))
          ((null (cdr actions)) (cdar actions))
          (t (cdr (assoc (completing-read (format-prompt "Tap" default)
                                          (formd-commands--in-order (mapcar #'car actions))
                                          nil t nil nil default)
                         actions))))))

(defun formd-commands--enabled-p (action)
  "Return non-nil if ACTION, a name, is enabled."
  (formd-true-p (formd-session-document formd-session) "actions" action "isEnabled"))

(defun formd-add-row ()
  "Add a row after the row at point, or to the list at point."
  (interactive)
  (formd-commands--check)
  (let* ((node (formd-draw-node-at (point)))
         (row (formd-commands--row-at-point)))
    (cond ((and node (memq (formd-node-kind node) '(list add)))
           (formd-commands--add-row (formd-node-address node) nil))
          (row (let* ((list (formd-address-list row))
                      (rows (formd-document-rows (formd-session-document formd-session) list)))
                 (formd-commands--add-row list (cadr (member row rows)))))
          (t (let ((lists (cl-loop for node in (formd-draw-nodes)
                                   when (and (eq 'add (formd-node-kind node))
                                             (not (formd-address-row (formd-node-address node))))
                                   collect node)))
               (if (and lists (null (cdr lists)))
                   (formd-commands--add-row (formd-node-address (car lists)) nil)
                 (user-error "Point is not in a list; press [add] of a list")))))))

(defun formd-commands--add-row (list before)
  "Add a row to LIST, before the row BEFORE or after the last, and go there."
  (let ((buffer (current-buffer)))
    (formd-session-insert formd-session list before
                          (lambda (row)
                            (when (buffer-live-p buffer)
                              (with-current-buffer buffer
                                (formd-commands--enter-row row)))))
    (formd-commands--settle)))

(defun formd-commands--enter-row (row)
  "Go to the first field of ROW."
  (when-let* ((node (cl-find-if (lambda (node)
                                 (and (memq (formd-node-kind node)
                                            '(line lines secret truth choice set))
                                      (formd-address-in-p (formd-node-address node) row)))
                               (formd-draw-nodes))))
    (formd-draw-goto (formd-node-address node))
    (formd-commands-show-point)))

(defun formd-commands--row-at-point ()
  "Return the address of the innermost row at point, or nil."
  (when-let* ((node (formd-draw-node-at (point)))
              (field (formd-node-field node)))
    (formd-address-row (formd-node-address node))))

(defun formd-commands--this-row ()
  "Return the address of the row at point, or signal an error."
  (formd-commands--check)
  (or (formd-commands--row-at-point) (user-error "Point is not in a row")))

(defun formd-remove-row ()
  "Remove the row at point."
  (interactive)
  (formd-commands--remove-row (formd-commands--this-row)))

(defun formd-commands--remove-row (row)
  "Remove ROW, an address."
  (formd-draw-take-typed)
  (formd-session-remove formd-session row)
  (formd-commands--settle))

(defun formd-move-row-up ()
  "Move the row at point up."
  (interactive)
  (formd-commands--move-row (formd-commands--this-row) -1))

(defun formd-move-row-down ()
  "Move the row at point down."
  (interactive)
  (formd-commands--move-row (formd-commands--this-row) 1))

(defun formd-commands--move-row (row by)
  "Move ROW BY rows down; up, if BY is negative."
  (formd-draw-take-typed)
  (let* ((rows (formd-document-rows (formd-session-document formd-session)
                                    (formd-address-list row)))
         (to (+ by (seq-position rows row))))
    (unless (< -1 to (length rows))
      (user-error "The row is the %s one" (if (< by 0) "first" "last")))
    (formd-session-move formd-session row to)
    (formd-commands--settle)))

(defun formd-next-page ()
  "Go to the next page of the form."
  (interactive)
  (formd-commands--turn 1))

(defun formd-previous-page ()
  "Go to the previous page of the form."
  (interactive)
  (formd-commands--turn -1))

(defun formd-commands--turn (by)
  "Go forward by BY pages."
  (formd-commands--check)
  (let ((step (formd-session-step-beside formd-session by)))
    (cond (step (formd-commands--show-step (formd-get step "id")))
          ((formd-session-step formd-session)
           (user-error "This is the %s page" (if (< by 0) "first" "last")))
          (t (user-error "This form has no pages")))))

(defun formd-commands--show-step (step)
  "Go to the STEP, the id of a page."
  (formd-session-show-step formd-session step)
  (formd-commands--settle))

(defun formd-next-message ()
  "Go to the next field that has a message, on any page."
  (interactive)
  (formd-commands--check)
  (formd-commands-next-error 1))

(defun formd-commands-next-error (count &optional reset)
  "Go to the COUNTth message after point, on any page.
With RESET non-nil begin at the top.
This is the `next-error-function' of forms."
  (let* ((here (and (not reset) (formd-draw-field-at (point))))
         (places (formd-commands-message-places))
         (position (and here (seq-position places here)))
         (behind (or position
                     (and (not reset)
                          (1- (or (seq-position places t
                                                (lambda (place _) (formd-commands--behind-p place)))
                                  0)))
                     -1)))
    (if (null places)
        (user-error "There are no messages")
      (formd-commands-go-to (nth (mod (+ behind count) (length places)) places))
      (formd-commands--settle))))

(defun formd-commands--behind-p (address)
  "Return non-nil if the field at ADDRESS is drawn after point."
  (save-excursion
    (let ((place (point)))
      (and (formd-draw-goto address) (> (point) place)))))

(defun formd-commands-message-places ()
  "Return the addresses that have messages, in the order of the form."
  (let* ((document (formd-session-document formd-session))
         (places (hash-table-keys (formd-get document "messages")))
         (order (hash-table-keys (formd-session-index formd-session))))
    ;; The row's place counts among fields of the same kind.
    (sort places
          (lambda (one other)
            (let ((first (seq-position order (formd-address-template one)))
                  (second (seq-position order (formd-address-template other)))
                  (row-of-first (formd-commands--row-number document one))
                  (row-of-second (formd-commands--row-number document other)))
              (if (and row-of-first row-of-second
                       (equal (formd-address-list (formd-address-row one))
                              (formd-address-list (formd-address-row other)))
                       (/= row-of-first row-of-second))
                  (< row-of-first row-of-second)
                (< (or first 0) (or second 0))))))))

(defun formd-commands--row-number (document address)
  "Return the position in DOCUMENT of the row that ADDRESS is in, or nil."
  (when-let* ((row (formd-address-row address)))
    (seq-position (formd-document-rows document (formd-address-list row)) row)))

(defun formd-clear ()
  "Remove the value of the field at point."
  (interactive)
  (formd-commands--check)
  (let ((address (formd-draw-field-at (point))))
    (unless address
      (user-error "There is no field at point"))
    (setq formd-draw-edited nil)
    (formd-commands--give address :null)))

(defun formd-reset ()
  "Reset all fields to their initial values."
  (interactive)
  (formd-commands--check)
  (when (yes-or-no-p "Reset the form and lose all typed values? ")
    (setq formd-draw-edited nil)
    (formd-session-reset formd-session)))

(defun formd-undo ()
  "Take back the last edit, in a form with \"undo\".  Rows come back, too."
  (interactive)
  (formd-commands--check)
  (formd-session-undo formd-session))

(defun formd-redo ()
  "Repeat the edit that was taken back last."
  (interactive)
  (formd-commands--check)
  (formd-session-redo formd-session))

(defun formd-set-locale (locale)
  "Show the texts of the form in the language LOCALE, such as \"en\" or \"ko\"."
  (interactive (list (read-string "Language (such as en or ko): ")))
  (formd-commands--check)
  (formd-session-set-locale formd-session locale))

(defun formd-show-values ()
  "Show the values and outputs of the form as JSON, without secrets."
  (interactive)
  (formd-commands--check)
  (formd-draw-take-typed)
  (formd-session-send
   formd-session "session/get" (formd-object)
   (lambda (result)
     (with-help-window "*form values*"
       (princ (formd-commands--pretty
               (formd-object "values" (formd-get result "values")
                             "outputs" (formd-get result "document" "outputs"))))))))

(defun formd-commands--pretty (value)
  "Return the JSON VALUE as indented text."
  (with-temp-buffer
    (insert (formd-json-encode value))
    (json-pretty-print-buffer)
    (buffer-string)))

(defun formd-reconnect ()
  "Try at once to connect to the daemon and to open the form again."
  (interactive)
  (formd-commands--check)
  (let ((connection (formd-session-connection formd-session)))
    (cond ((eq 'open (formd-session-state formd-session))
           (message "The form is connected"))
          ((formd-connection-live-p connection) (formd-session-reopen formd-session))
          (t (formd-connection-retry connection)
             (unless (formd-connection-live-p connection)
               (message "No daemon listens at %s yet; Emacs keeps trying"
                        (formd-connection-path connection)))))))

(provide 'formd-commands)
;;; formd-commands.el ends here
