;;; formd-document.el --- Documents, values and addresses of forms  -*- lexical-binding: t; -*-

;;; Commentary:

;; What the daemon says of a form, as data: JSON, addresses of fields, the
;; document that updates are merged into, and the values, which are kept one
;; by one by their addresses.  Nothing here knows of buffers or sockets.
;;
;; JSON objects are hash tables with strings as keys, lists are vectors, and
;; null and false are `:null' and `:false'.  An empty object and null differ
;; in a JSON Merge Patch, which is why plists (as in jsonrpc.el) will not do.
;;
;; This file follows formd's protocol/sessions.md.

;;; Code:

(require 'cl-lib)
(require 'iso8601)
(require 'subr-x)

;;;; JSON

(defun formd-json-parse (text)
  "Return the value that the JSON TEXT means."
  (json-parse-string text :object-type 'hash-table :array-type 'array
                     :null-object :null :false-object :false))

(defun formd-json-encode (value)
  "Return the JSON text of VALUE, as a string of characters."
  (let ((text (json-serialize value :null-object :null :false-object :false)))
    ;; From Emacs 30 on, the text consists of bytes.
    (if (multibyte-string-p text) text (decode-coding-string text 'utf-8))))

(defun formd-object (&rest members)
  "Return a JSON object with MEMBERS, names and values in turn.
A member whose value is nil is left out."
  (let ((object (make-hash-table :test #'equal)))
    (cl-loop for (name value) on members by #'cddr
             when value do (puthash name value object))
    object))

(defun formd-get (value &rest names)
  "Return what stands in the JSON VALUE at NAMES, or nil.
A name is a string for a member and a number for an element.  Null is nil."
  (dolist (name names)
    (setq value
          (cond ((and (hash-table-p value) (stringp name)) (gethash name value))
                ((and (vectorp value) (integerp name) (< -1 name (length value)))
                 (aref value name)))))
  (unless (eq value :null) value))

(defun formd-true-p (value &rest names)
  "Return non-nil if true stands in the JSON VALUE at NAMES."
  (eq t (apply #'formd-get value names)))

(defun formd-list (value &rest names)
  "Return as a Lisp list the JSON list that stands in VALUE at NAMES."
  (let ((list (apply #'formd-get value names)))
    (and (vectorp list) (append list nil))))

(defun formd-equal (one other)
  "Return non-nil if the JSON values ONE and OTHER are the same.
Numbers are compared by what they are worth, so 1 and 1.0 are the same."
  (cond ((and (numberp one) (numberp other)) (= one other))
        ((and (vectorp one) (vectorp other))
         (and (= (length one) (length other))
              (cl-every #'formd-equal one other)))
        ((and (hash-table-p one) (hash-table-p other))
         (and (= (hash-table-count one) (hash-table-count other))
              (cl-loop for name being the hash-keys of one using (hash-values value)
                       always (formd-equal value (gethash name other)))))
        (t (equal one other))))

(defun formd-merge-patch (target patch)
  "Merge the JSON Merge Patch PATCH into TARGET and return the result.
TARGET is changed in place where it is an object (RFC 7396, section 2)."
  (if (not (hash-table-p patch))
      patch
    (let ((merged (if (hash-table-p target) target (formd-object))))
      (maphash (lambda (name value)
                 (if (eq value :null)
                     (remhash name merged)
                   (puthash name (formd-merge-patch (gethash name merged) value) merged)))
               patch)
      merged)))

;;;; Addresses

(defun formd-address-names (address)
  "Return the names that lead to the field at ADDRESS.
An address is a name, or a JSON Pointer such as \"/items/#7/quantity\"."
  (cond ((not (string-prefix-p "/" address)) (list address))
        ((not (string-search "~" address)) (split-string (substring address 1) "/"))
        (t (mapcar (lambda (part)
                     (string-replace "~0" "~" (string-replace "~1" "/" part)))
                   (split-string (substring address 1) "/")))))

(defun formd-address (names)
  "Return the address that NAMES make, in its short form."
  (if (and names (null (cdr names)) (not (string-prefix-p "/" (car names))))
      (car names)
    (mapconcat #'formd-address--part names "")))

(defun formd-address--part (name)
  "Return NAME as a part of a JSON Pointer."
  (concat "/" (if (string-match-p "[/~]" name)
                  (string-replace "/" "~1" (string-replace "~" "~0" name))
                name)))

(defun formd-address-below (address name)
  "Return the address of what is called NAME below ADDRESS."
  (concat (if (string-prefix-p "/" address) address (concat "/" address))
          (formd-address--part name)))

(defun formd-address-template (address)
  "Return ADDRESS with a star in place of each row, as descriptions have it."
  (formd-address (mapcar (lambda (name) (if (string-prefix-p "#" name) "*" name))
                         (formd-address-names address))))

(defun formd-address-row (address)
  "Return the address of the innermost row that ADDRESS is in or is, or nil."
  (let ((names (reverse (formd-address-names address))))
    (while (and names (not (string-prefix-p "#" (car names))))
      (pop names))
    (and (cdr names) (formd-address (reverse names)))))

(defun formd-address-list (row)
  "Return the address of the list that ROW, an address of a row, is in."
  (formd-address (butlast (formd-address-names row))))

(defun formd-address-in-p (address place)
  "Return non-nil if ADDRESS is PLACE or is inside of it."
  (let ((names (formd-address-names address)))
    (cl-loop for name in (formd-address-names place)
             always (equal name (pop names)))))

;;;; Documents

(defconst formd-document--usual
  '(("isVisible" . t) ("isEnabled" . t) ("isRequired" . :false)
    ("isValid" . t) ("isPending" . :false) ("isDirty" . :false)
    ("isTouched" . :false) ("isEmpty" . :false) ("errors" . []))
  "What a document leaves out of rows, and of the fields inside of them.
Written by scripts/lib/client_types.py.")

(defun formd-document-state (document address)
  "Return the state of the field or row at ADDRESS in DOCUMENT, or nil.
What stands there may lack members that are as usual; `formd-state-get'
knows these."
  (let ((state document) in-row)
    (dolist (name (formd-address-names address))
      (setq state (and state (formd-state-below state name in-row))
            in-row (or in-row (string-prefix-p "#" name))))
    state))

(defun formd-state-below (state name in-row)
  "Return the state of what is called NAME in a field with STATE, or nil.
NAME is that of a field, or of a row (\"#7\").  IN-ROW says whether STATE is
that of a row or is in one, where a field that is as usual is left out."
  (cond ((formd-get state "fields" name))
        ((not (string-prefix-p "#" name)) (and in-row (formd-object)))
        ((seq-contains-p (formd-get state "order") (substring name 1))
         (or (formd-get state "rows" (substring name 1)) (formd-object)))))

(defun formd-state-get (state name)
  "Return the member NAME of a field's STATE, or what is usual."
  (let ((value (gethash name state)))
    (or value (alist-get name formd-document--usual nil nil #'equal))))

(defun formd-state-true-p (state name)
  "Return non-nil if the member NAME of a field's STATE is true."
  (eq t (formd-state-get state name)))

(defun formd-document-rows (document address)
  "Return the addresses of the rows of the list at ADDRESS in DOCUMENT."
  (mapcar (lambda (identity) (formd-address-below address (concat "#" identity)))
          (formd-list (formd-document-state document address) "order")))

(defun formd-document-by-position (document address)
  "Return ADDRESS with the positions of its rows in DOCUMENT, or nil.
Unlike an identity, a position means something in another session, too."
  (catch 'none
    (let (before names)
      (dolist (name (formd-address-names address))
        (push (if (not (string-prefix-p "#" name))
                  name
                (number-to-string
                 (or (seq-position (formd-list (formd-document-state
                                                document (formd-address (reverse before)))
                                               "order")
                                   (substring name 1))
                     (throw 'none nil))))
              names)
        (push name before))
      (formd-address (nreverse names)))))

(defun formd-document--identified (document names)
  "Return NAMES with the identities that rows have in DOCUMENT for positions.
The result is nil where there is no such row."
  (let (result)
    (catch 'none
      (dolist (name names)
        (let ((order (and result
                          (formd-get (formd-document-state document
                                                           (formd-address (reverse result)))
                                     "order"))))
          (if (and (vectorp order) (string-match-p "\\`[0-9]+\\'" name))
              (push (concat "#" (or (formd-get order (string-to-number name))
                                    (throw 'none nil)))
                    result)
            (push name result))))
      (nreverse result))))

(defun formd-document-by-identity (document address)
  "Return ADDRESS with the identities of its rows in DOCUMENT, or nil."
  (when-let* ((names (formd-document--identified document (formd-address-names address))))
    (formd-address names)))

;;;; Descriptions

(defun formd-description-index (description)
  "Return a table of the fields of DESCRIPTION by their addresses.
Rows are stars in these addresses."
  (let ((index (make-hash-table :test #'equal)))
    (cl-labels ((add (field)
                  (puthash (formd-get field "address") field index)
                  (mapc #'add (formd-list field "fields"))
                  (when (formd-get field "items")
                    (add (formd-get field "items")))))
      (mapc #'add (formd-list description "fields")))
    index))

(defun formd-field-set-p (field)
  "Return non-nil if FIELD is a multiple choice of the form's own choices.
Such a list is chosen as a whole, and its rows are never seen."
  (and (formd-true-p field "isMultipleChoice")
       (formd-list field "items" "options")))

(defun formd-field-leaf-p (field)
  "Return non-nil if FIELD takes one value: it is no group and has no rows."
  (and (not (formd-list field "fields"))
       (or (not (formd-get field "items")) (formd-field-set-p field))))

;;;; Values

(defun formd-values-flatten (field address value document function)
  "Call FUNCTION with each address and value that VALUE has for FIELD.
ADDRESS is that of FIELD, and DOCUMENT tells the rows.  What is absent is nil."
  (when (eq value :null)
    (setq value nil))
  (cond ((formd-true-p field "isSecret"))
        ((formd-field-leaf-p field) (funcall function address value))
        ((formd-get field "items")
         (cl-loop for row in (formd-document-rows document address)
                  for position from 0
                  do (formd-values-flatten (formd-get field "items") row
                                           (and (vectorp value) (< position (length value))
                                                (aref value position))
                                           document function)))
        (t (dolist (inner (formd-list field "fields"))
             (formd-values-flatten
              inner (formd-address-below address (formd-get inner "name"))
              (and (hash-table-p value) (gethash (formd-get inner "name") value))
              document function)))))

(defun formd-values-tree (field address before document function)
  "Return the value of FIELD at ADDRESS as a whole, or nil for none.
FUNCTION is called with the address of each place that takes a value and
returns it.  BEFORE is a value that the field had; members of it that are no
fields stay.  DOCUMENT tells the rows.  Computed fields are left out."
  (cond ((formd-true-p field "computed") nil)
        ((formd-field-leaf-p field) (funcall function address))
        ((formd-get field "items")
         (let ((rows (formd-document-rows document address)))
           (and (or rows (vectorp before))
                (vconcat (mapcar (lambda (row)
                                   (or (formd-values-tree (formd-get field "items") row nil
                                                          document function)
                                       :null))
                                 rows)))))
        (t (let ((object (if (hash-table-p before) (copy-hash-table before) (formd-object))))
             (dolist (inner (formd-list field "fields"))
               (let* ((name (formd-get inner "name"))
                      (value (formd-values-tree inner (formd-address-below address name)
                                                (gethash name object) document function)))
                 (if value (puthash name value object) (remhash name object))))
             (and (or (hash-table-p before) (> (hash-table-count object) 0))
                  object)))))

;;;; Texts

(defun formd-text-of-value (value)
  "Return the text by which people read the JSON VALUE; nil is empty."
  (cond ((memq value '(nil :null)) "")
        ((stringp value) value)
        ((eq value t) "yes")
        ((eq value :false) "no")
        ((and (floatp value) (= value (ftruncate value)) (< (abs value) 1e15))
         (number-to-string (truncate value)))
        ((numberp value) (number-to-string value))
        (t (formd-json-encode value))))

(defun formd-text-of-result (value)
  "Return the text by which people read VALUE, a result of an action.
A point in time is in the time zone of Emacs."
  (cond ((and (stringp value)
              (string-match-p "\\`[0-9]\\{4\\}-[0-9][0-9]-[0-9][0-9][Tt][0-9:.]+\\(?:[Zz]\\|[-+][0-9:]+\\)\\'"
                              value))
         (condition-case nil
             (format-time-string "%Y-%m-%d %H:%M:%S %Z" (encode-time (iso8601-parse (upcase value))))
           (error value)))
        ((hash-table-p value)
         (mapconcat (lambda (name)
                      (format "%s: %s" name (formd-text-of-result (gethash name value))))
                    (hash-table-keys value) ", "))
        ((vectorp value) (mapconcat #'formd-text-of-result value ", "))
        (t (formd-text-of-value value))))

(defun formd-unicode (text)
  "Return TEXT with a replacement character for all that JSON cannot have.
Emacs knows characters that Unicode does not: raw bytes and surrogates."
  (replace-regexp-in-string "[^\0-\ud7ff\ue000-\U0010ffff]" "\ufffd" text t t))

(defun formd-value-of-text (text type &optional read)
  "Return the value that TEXT means for a field of TYPE.
A text that cannot be read stays a text, and the form reports what is wrong.
If READ is non-nil, the daemon reads the text.
An empty text is no value, except for a field of texts."
  (cond ((equal type "string") text)
        ((string-empty-p text) :null)
        (read text)
        (t (let ((value (condition-case nil (formd-json-parse text)
                          (error text))))
             (if (and (member type '("integer" "number")) (not (numberp value)))
                 text
               value)))))

(provide 'formd-document)
;;; formd-document.el ends here
